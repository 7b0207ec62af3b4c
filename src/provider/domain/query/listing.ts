/** Reads the request of a list with cursors: filter, order, limit and cursor (specification/wire.md §9). */
import type { Field } from "../../../wire/entities/fields.ts";
import type { SQLInputValue } from "node:sqlite";
import type { Database } from "../../base/database.ts";
import { withinBudget } from "../../store/budget.ts";
import { BodyReader, isObject, type Fields } from "../validation/check.ts";
import {
  bindingOf,
  listPage,
  readCursor,
  readOrder,
  type Cursor,
  type ListPage,
  type OrderKey,
  type OrderLookup,
} from "./cursor.ts";
import type { Sql } from "./filter-fields.ts";
import { compileSort, type SortLookup, type SortDefaults } from "./sort.ts";
import { compileFilter, joinConditions, type CompiledFilter, type FieldLookup } from "./filter.ts";

/** Looks up a name from input in a table, without inherited properties. */
export const ownEntry =
  <T>(table: Readonly<Record<string, T>>) =>
  (name: string): T | undefined =>
    Object.hasOwn(table, name) ? table[name] : undefined;

/** What a list reads. */
interface Source {
  /** Tables and their joins. */
  from: string;
  columns: string;
  /** Values bound in `from`. */
  fromValues?: readonly SQLInputValue[];
}

/** A list with cursors: its rows of type `Row`, what it can be filtered and sorted by, and its defaults. */
export interface ListDefinition<Row = unknown> extends Source {
  /** The list's name; part of the cursor's binding. */
  name: string;
  /** A condition on the value that the list is read for, as in `r.user_id = ?`. */
  of?: string;
  fields: FieldLookup;
  orders: OrderLookup;
  fallback: readonly OrderKey[];
  /** Unique for each row. */
  tie: OrderKey;
  limit: Field<number> & { readonly default: number };
  /** Only the type of a row; no list has it. */
  row?: Row;
}

/** What a request asks of a list. */
export interface Listing {
  where: CompiledFilter;
  keys: OrderKey[];
  limit: number;
  binding: string;
  cursor: Cursor | undefined;
}

interface ListingOf<Row> extends Listing {
  list: ListDefinition<Row>;
  /** The values that the list is read for. */
  on: readonly unknown[];
}

/** The sort fields without directions, so that a cursor also fits the reversed sort. */
const fieldsOf = (sort: unknown): unknown[] =>
  Array.isArray(sort)
    ? sort.map((entry: unknown) => (isObject(entry) ? [entry.field, entry.type] : entry))
    : [];

/**
 * Problems are reported under `filter`, `sort`, `limit`, `next` and `prev`. `on`: further values that a cursor is bound to
 * besides filter and sort, such as the reader; the first is the value of the list's `of`.
 */
export function readListing<Row>(
  check: BodyReader,
  { filter, sort }: { filter?: unknown; sort?: unknown },
  list: ListDefinition<Row>,
  ...on: readonly unknown[]
): ListingOf<Row> {
  const where = compileFilter(filter, list.fields, check, "filter");
  const keys = readOrder(sort, list.orders, check, list);
  const { limit } = check.read({ limit: list.limit });
  const binding = bindingOf(list.name, ...on, filter ?? {}, fieldsOf(sort));
  return { list, on, where, keys, limit, binding, cursor: readCursor(check, binding, keys) };
}

/** Reads a body that has nothing else; throws with everything that is wrong. */
export function readOnlyListing<Row>(
  body: Fields,
  list: ListDefinition<Row>,
  ...on: readonly unknown[]
): ListingOf<Row> {
  const check = new BodyReader(body);
  const listing = readListing(check, body, list, ...on);
  check.done();
  return listing;
}

/** One page of a list, of the rows for which the conditions hold too. */
export function listingPage<Row>(
  db: Database,
  listing: ListingOf<Row> & { offset?: number },
  ...conditions: Sql[]
): ListPage<Row> {
  const { list, on } = listing;
  const owned = list.of === undefined ? [] : [{ text: list.of, values: [on[0] as SQLInputValue] }];
  const where = joinConditions([...owned, ...conditions, listing.where], " AND ");
  return listPage<Row>(db, { ...list, ...listing, where });
}

/** What a list that is paged by an offset can be filtered and sorted by. */
export interface OffsetOrder extends SortDefaults {
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
  { fields, sorts, ...rest }: OffsetOrder,
): Match => ({
  where: compileFilter(filter_conditions, fields, check),
  order: compileSort(sort, sorts, check, rest),
});

/** Such a list of rows of type `Row`. */
export interface OffsetListDefinition<Row = unknown> extends OffsetOrder, Source {
  /** The column whose values count the rows that a page looks at. */
  counted: string;
  row?: Row;
}

/** One page of such a list, of the rows for which the conditions hold too. */
export function offsetPage<Row>(
  db: Database,
  list: Pick<OffsetListDefinition<Row>, "columns" | "from" | "counted" | "row">,
  { where, order, limit, offset }: Match & { limit: number; offset: number },
  ...conditions: Sql[]
): Row[] {
  const { text, values } = joinConditions([...conditions, where], " AND ");
  return db.raw
    .prepare(
      `SELECT ${list.columns} FROM ${list.from} WHERE ${withinBudget(list.counted)} AND ${text}
       ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(...values, ...order.values, limit, offset) as unknown as Row[];
}
