/** Sorts of the wire compiled to bound ORDER BY texts; nulls come last both ways (specification/channels.md §3.2). */
import type { SQLInputValue } from "node:sqlite";
import { isObject, type BodyReader } from "../validation/check.ts";
import { jsonPath, type Sql } from "./filter-fields.ts";

/** A custom field of a JSON column; `type` number or boolean leaves other values out (specification/wire.md §10). */
export function customStep(
  column: string,
  name: string,
  type: unknown,
): { expression: string; values: SQLInputValue[] } | undefined {
  const path = jsonPath(name);
  if (path === undefined) return undefined;
  const types =
    type === "number" ? "('integer', 'real')" : type === "boolean" ? "('true', 'false')" : undefined;
  return types
    ? {
        expression: `CASE WHEN json_type(${column}, ?) IN ${types} THEN json_extract(${column}, ?) END`,
        values: [path, path],
      }
    : { expression: `json_extract(${column}, ?)`, values: [path] };
}

/** The SQL expression of a built-in sort field. */
type SortLookup = (name: string) => string | undefined;

/**
 * `sort` is a list of `{field, direction}`; an absent or empty one gives `fallback`. `custom` is the JSON column of custom
 * fields, undefined when they cannot be sorted by. `tie` ends the order so that it is total.
 */
export function compileSort(
  sort: unknown,
  fields: SortLookup,
  check: BodyReader,
  { fallback, tie, custom }: { fallback: string; tie: string; custom?: string },
): Sql & { named: string[] } {
  if (sort === undefined || sort === null || (Array.isArray(sort) && sort.length === 0))
    return { text: `${fallback}, ${tie}`, values: [], named: [] };
  const values: SQLInputValue[] = [];
  const parts: string[] = [];
  const named: string[] = [];
  if (!Array.isArray(sort) || sort.length > 10) {
    check.fail("sort", "must be a list of at most 10 fields");
    return { text: tie, values, named };
  }
  for (const [i, entry] of sort.entries()) {
    const at = `sort.${i}`;
    if (!isObject(entry) || typeof entry.field !== "string") {
      check.fail(at, "must be an object with a field");
      continue;
    }
    const direction = entry.direction ?? 1;
    if (direction !== 1 && direction !== -1) check.fail(`${at}.direction`, "must be 1 or -1");
    const way = direction === -1 ? "DESC" : "ASC";
    named.push(entry.field);
    const expression = fields(entry.field);
    if (expression) {
      parts.push(`${expression} ${way} NULLS LAST`);
      continue;
    }
    const own = custom === undefined ? undefined : customStep(custom, entry.field, entry.type);
    if (own === undefined) {
      check.fail(`${at}.field`, `${entry.field} is not a field that can be sorted by`);
      continue;
    }
    parts.push(`${own.expression} ${way} NULLS LAST`);
    values.push(...own.values);
  }
  return { text: [...parts, tie].join(", "), values, named };
}
