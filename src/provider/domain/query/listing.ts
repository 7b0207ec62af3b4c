/** What a list with cursors is asked for: filter, order, limit and place, read and checked together (specification/wire.md §9). */
import type { Field } from "../../../wire/fields.ts";
import { isObject, type BodyReader } from "../validation/check.ts";
import { bindingOf, readCursor, readOrder, type Cursor, type OrderKey, type OrderLookup } from "./cursor.ts";
import type { Sql } from "./filter-fields.ts";
import { compileSort, type SortLookup, type SortRest } from "./sort.ts";
import { compileFilter, type CompiledFilter, type FieldLookup } from "./filter.ts";

/** The entry of a table by a name that came from outside: what every object inherits is not in it. */
export const ownEntry =
  <T>(table: Readonly<Record<string, T>>) =>
  (name: string): T | undefined =>
    Object.hasOwn(table, name) ? table[name] : undefined;

/** What one list offers. */
export interface Offer {
  /** Its name: cursors fit no other list. */
  of: string;
  fields: FieldLookup;
  orders: OrderLookup;
  /** The order without `sort`. */
  fallback: readonly OrderKey[];
  /** Unique for each row. */
  tie: OrderKey;
  /** Rows without `limit`, and at the most. */
  limit: Field<number> & { readonly normal: number };
}

/** The part of `listPage` that a caller decides. */
export interface Listing {
  where: CompiledFilter;
  keys: OrderKey[];
  limit: number;
  binding: string;
  cursor: Cursor | undefined;
}

/** What is sorted by, whichever way: a page may go on from the place of another that was sorted the other way round. */
const fieldsOf = (sort: unknown): unknown[] =>
  Array.isArray(sort) ? sort.map((one: unknown) => (isObject(one) ? [one.field, one.type] : one)) : [];

/**
 * Problems go to `check` under `filter`, `sort`, `limit`, `next` and `prev`. `on` is on whom and what the pages depend
 * besides filter and sort: cursors fit nothing else.
 */
export function readListing(
  check: BodyReader,
  { filter, sort }: { filter?: unknown; sort?: unknown },
  { of, fields, orders, fallback, tie, limit: row }: Offer,
  ...on: readonly unknown[]
): Listing {
  const where = compileFilter(filter, fields, check, "filter");
  const keys = readOrder(sort, orders, check, { fallback, tie });
  const { limit } = check.read({ limit: row });
  const binding = bindingOf(of, ...on, filter ?? {}, fieldsOf(sort));
  return { where, keys, limit, binding, cursor: readCursor(check, binding, keys) };
}

/** What a list offers that goes on by an offset instead. */
export interface MatchOffer extends SortRest {
  fields: FieldLookup;
  sorts: SortLookup;
}

/** Its filter and its order, compiled; problems go to `check` under `filter_conditions` and `sort`. */
export interface Match {
  where: CompiledFilter;
  order: Sql & { named: string[] };
}
export const readMatch = (
  check: BodyReader,
  { filter_conditions, sort }: { filter_conditions?: unknown; sort?: unknown },
  { fields, sorts, ...rest }: MatchOffer,
): Match => ({
  where: compileFilter(filter_conditions, fields, check),
  order: compileSort(sort, sorts, check, rest),
});
