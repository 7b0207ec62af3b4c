/** Builds the URLs of calls and of the realtime connection (specification/wire.md §4). */
import { wellFormedJson } from "../../text/well-formed.ts";

export type QueryValue = string | number | boolean | null | undefined | readonly string[] | object;

/** Booleans as `true` and `false`, lists comma-joined, objects as JSON; absent and null values are left out. */
function queryText(values: Record<string, QueryValue>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value) && value.every((item) => typeof item === "string"))
      query.set(name, value.join(","));
    else query.set(name, typeof value === "object" ? wellFormedJson(value) : String(value));
  }
  return query.toString();
}

export function makeUrl(base: string, path: string, query: Record<string, QueryValue>): string {
  const text = queryText(query);
  return `${base.replace(/(?<!\/)\/+$/, "")}${path}${text ? `?${text}` : ""}`;
}

/** `http` → `ws`, `https` → `wss` (specification/wire.md §3). */
export function socketBase(base: string): string {
  return base.replace(/^http/i, "ws");
}
