/** Compiles sorts of the wire to bound ORDER BY texts; nulls come last in both directions (specification/channels.md §3.2). */
import type { SQLInputValue } from "node:sqlite";
import { isObject, type BodyReader } from "../validation/check.ts";
import { jsonPath, type Sql } from "./filter-fields.ts";

/** Sorts by a custom field of a JSON column; with `type` number or boolean, other values count as NULL (specification/wire.md §10). */
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

/** One requested field of a `sort`; `path` names it in problems. */
interface SortEntry {
  path: string;
  field: string;
  type: unknown;
  direction: 1 | -1;
}

/** Reads `sort`, a list of `{field, direction}`; undefined when it is absent or empty. Problems are reported under `sort`. */
export function readSort(sort: unknown, check: BodyReader): SortEntry[] | undefined {
  if (sort === undefined || sort === null || (Array.isArray(sort) && sort.length === 0)) return undefined;
  if (!Array.isArray(sort) || sort.length > 10) {
    check.fail("sort", "must be a list of at most 10 fields");
    return [];
  }
  return sort.flatMap((entry: unknown, i) => {
    const path = `sort.${i}`;
    if (!isObject(entry) || typeof entry.field !== "string") {
      check.fail(path, "must be an object with a field");
      return [];
    }
    const { field, type, direction = 1 } = entry;
    if (direction !== null && direction !== 1 && direction !== -1)
      check.fail(`${path}.direction`, "must be 1 or -1");
    return [{ path, field, type, direction: direction === -1 ? (-1 as const) : (1 as const) }];
  });
}

export const notSortable = (check: BodyReader, { path, field }: SortEntry): void =>
  check.fail(`${path}.field`, `${field} is not a field that can be sorted by`);

export type SortLookup = (name: string) => string | undefined;

/** `fallback` is the order without a `sort`; `tie` is appended to every order, so that it is total. */
export interface SortDefaults {
  fallback: string;
  tie: string;
  /** The JSON column of custom fields; undefined when they cannot be sorted by. */
  custom?: string;
}

export function compileSort(
  sort: unknown,
  fields: SortLookup,
  check: BodyReader,
  { fallback, tie, custom }: SortDefaults,
): Sql & { fieldNames: string[] } {
  const entries = readSort(sort, check);
  if (!entries) return { text: `${fallback}, ${tie}`, values: [], fieldNames: [] };
  const values: SQLInputValue[] = [];
  const parts: string[] = [];
  for (const entry of entries) {
    const expression = fields(entry.field);
    const step = expression
      ? { expression, values: [] }
      : custom === undefined
        ? undefined
        : customStep(custom, entry.field, entry.type);
    if (step === undefined) {
      notSortable(check, entry);
      continue;
    }
    parts.push(`${step.expression} ${entry.direction === -1 ? "DESC" : "ASC"} NULLS LAST`);
    values.push(...step.values);
  }
  return { text: [...parts, tie].join(", "), values, fieldNames: entries.map(({ field }) => field) };
}
