/** Reads the request of a list with cursors: filter, order, limit and cursor (specification/wire.md §9). */
import type { Field } from "../../../wire/fields.ts";
import { isObject, type BodyReader } from "../validation/check.ts";
import { bindingOf, readCursor, readOrder, type Cursor, type OrderKey, type OrderLookup } from "./cursor.ts";
import type { Sql } from "./filter-fields.ts";
import { compileSort, type SortLookup, type SortDefaults } from "./sort.ts";
import { compileFilter, type CompiledFilter, type FieldLookup } from "./filter.ts";

/** Looks up a name from input in a table, without inherited properties. */
export const ownEntry =
  <T>(table: Readonly<Record<string, T>>) =>
  (name: string): T | undefined =>
    Object.hasOwn(table, name) ? table[name] : undefined;

/** What a list can be filtered and sorted by, and its defaults. */
export interface ListDefinition {
  /** The list's name; part of the cursor's binding. */
  name: string;
  fields: FieldLookup;
  orders: OrderLookup;
  fallback: readonly OrderKey[];
  /** Unique for each row. */
  tie: OrderKey;
  limit: Field<number> & { readonly default: number };
}

/** The part of `listPage` that the request decides. */
export interface Listing {
  where: CompiledFilter;
  keys: OrderKey[];
  limit: number;
  binding: string;
  cursor: Cursor | undefined;
}

/** The sort fields without directions, so that a cursor also fits the reversed sort. */
const fieldsOf = (sort: unknown): unknown[] =>
  Array.isArray(sort)
    ? sort.map((entry: unknown) => (isObject(entry) ? [entry.field, entry.type] : entry))
    : [];

/**
 * Problems are reported under `filter`, `sort`, `limit`, `next` and `prev`. `on`: further values that a cursor is bound to
 * besides filter and sort, such as the reader.
 */
export function readListing(
  check: BodyReader,
  { filter, sort }: { filter?: unknown; sort?: unknown },
  { name, fields, orders, fallback, tie, limit: row }: ListDefinition,
  ...on: readonly unknown[]
): Listing {
  const where = compileFilter(filter, fields, check, "filter");
  const keys = readOrder(sort, orders, check, { fallback, tie });
  const { limit } = check.read({ limit: row });
  const binding = bindingOf(name, ...on, filter ?? {}, fieldsOf(sort));
  return { where, keys, limit, binding, cursor: readCursor(check, binding, keys) };
}

/** The same for a list that is paged by an offset. */
export interface OffsetListDefinition extends SortDefaults {
  fields: FieldLookup;
  sorts: SortLookup;
}

/** A compiled filter and order; problems are reported under `filter_conditions` and `sort`. */
export interface Match {
  where: CompiledFilter;
  order: Sql & { fieldNames: string[] };
}
export const readMatch = (
  check: BodyReader,
  { filter_conditions, sort }: { filter_conditions?: unknown; sort?: unknown },
  { fields, sorts, ...rest }: OffsetListDefinition,
): Match => ({
  where: compileFilter(filter_conditions, fields, check),
  order: compileSort(sort, sorts, check, rest),
});
