/** `parley api`: one operation of the provider's API, by its path or its name; safe in a dry run like any command. */
import { readFileSync } from "node:fs";
import { endpoints } from "../../wire/endpoints/index.ts";
import type { EndpointName, EndpointRow } from "../../wire/endpoints/index.ts";
import { readPairs } from "../../commands/base/custom-fields.ts";
import { textOf } from "../../commands/base/text.ts";
import { ExitError } from "../base/exit.ts";
import { Plan } from "../base/guard.ts";
import { jsonText } from "../output/json.ts";
import { formOf, openResults } from "../output/results.ts";
import { callsOf, guarded, showPlan } from "../run/run.ts";
import type { Shell } from "../base/shell.ts";
import { readText, write } from "../base/stdio.ts";
import type { OwnRun } from "./kit.ts";

const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];

/** `/messages/history` is no message with the id `history`: paths with fewer parameters are tried first. */
const parameters = ([, { path }]: (typeof rows)[number]): number => path.split("{").length;
const literalFirst = rows.toSorted((a, b) => parameters(a) - parameters(b));

/** The operation and the path parameters that its template takes out of the path. */
export function findOperation(
  words: readonly string[],
): { name: EndpointName; path: Record<string, string> } | undefined {
  if (words.length === 1) {
    const found = rows.find(([name]) => name.toLowerCase() === words[0]!.toLowerCase());
    return found && { name: found[0], path: {} };
  }
  const [method, target] = [
    words[0]!.toUpperCase(),
    `/${words[1]!.replace(/^\/+/, "").replace(/\?.*$/, "")}`,
  ];
  const parts = target.split("/");
  for (const [name, row] of literalFirst) {
    const wanted = row.path.split("/");
    if (row.method !== method || wanted.length !== parts.length) continue;
    const path: Record<string, string> = {};
    const fits = wanted.every((part, i) => {
      if (!part.startsWith("{")) return part === parts[i];
      path[part.slice(1, -1)] = decodeURIComponent(parts[i]!);
      return parts[i] !== "";
    });
    if (fits) return { name, path };
  }
  return undefined;
}

async function readInput(shell: Shell, source: string): Promise<Record<string, unknown>> {
  const text =
    source === "-" ? await textOf({ input: () => readText(shell.in) }, "-") : readFileSync(source, "utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new ExitError(7, "The body of --input is not a JSON object.");
}

async function print(shell: Shell, value: unknown): Promise<void> {
  if (shell.flags.jq !== undefined || shell.flags.template !== undefined || shell.flags.json) {
    const results = openResults(shell, false);
    await results.item(value, undefined);
    return results.end();
  }
  return write(shell.out, `${jsonText(value, shell.tty.out, shell.flags.raw)}\n`);
}

const api: OwnRun = async (shell, values) => {
  if (values.list) {
    const results = openResults(shell, true);
    for (const [name, row] of rows)
      await results.item(
        { name, operation: row.op, method: row.method, path: row.path, safe: row.safe },
        {
          kind: "table",
          columns: ["name", "method", "path", "safe"],
          rows: [[name, row.method, row.path, row.safe]],
        },
      );
    await results.end();
    return 0;
  }
  const words = values.words as string[];
  if (words.length === 0 || words.length > 2)
    throw new ExitError(2, "Give a METHOD and a path, or an operation's name.", "parley api --list");
  const found = findOperation(words);
  if (!found) throw new ExitError(2, `There is no operation ${words.join(" ")}.`, "parley api --list");
  const row = endpoints[found.name] as EndpointRow;
  if (row.multipart) throw new ExitError(2, "Files go with parley upload.");
  formOf(shell);
  const fields = readPairs((values.field as string[] | undefined) ?? [], "--field");
  for (const [, part] of row.path.matchAll(/\{(\w+)\}/g)) {
    if (fields[part!] !== undefined && found.path[part!] === undefined) {
      found.path[part!] = String(fields[part!]);
      delete fields[part!];
    }
    if (!found.path[part!]) throw new ExitError(2, `--field ${part}=… is missing.`);
  }
  const asQuery = row.method === "GET" || row.method === "DELETE";
  const target = words[1]?.includes("?")
    ? Object.fromEntries(new URLSearchParams(words[1].split("?")[1]))
    : {};
  const input = typeof values.input === "string" ? await readInput(shell, values.input) : {};
  const given: Record<string, unknown> = { ...target, ...input, ...fields };
  const opened = await shell.host.open({ forgetful: true, calls: callsOf(shell) });
  try {
    const core = guarded(shell, opened, `${row.method} ${row.path}`);
    const call = core.call as (name: string, args: object) => Promise<Record<string, unknown>>;
    const once = (part: Record<string, unknown>): Promise<Record<string, unknown>> =>
      call(found.name, { path: found.path, ...(asQuery ? { query: part } : { body: part }) });
    if (!values.paginate) {
      await print(shell, await once(given));
      return 0;
    }
    const limit = typeof given.limit === "number" ? given.limit : 30;
    for (let part: Record<string, unknown> = { ...given, limit }; ;) {
      const reply = await once(part);
      await write(shell.out, `${jsonText(reply, false, shell.flags.raw)}\n`);
      const list = Object.values(reply).find(Array.isArray) as unknown[] | undefined;
      if (typeof reply.next === "string" && reply.next !== "") part = { ...part, next: reply.next };
      else if (list && list.length >= limit && reply.next === undefined)
        part = { ...part, offset: Number(part.offset ?? 0) + list.length };
      else return 0;
    }
  } catch (error) {
    if (!(error instanceof Plan)) throw error;
    await showPlan(shell, error);
    return 0;
  } finally {
    await opened.close();
  }
};
export default api;
