/** Lists with cursors: a total order, one page of it, and opaque `next` and `prev` that fit only their own query (specification/wire.md §9). */
import { createHash } from "node:crypto";
import type { SQLInputValue } from "node:sqlite";
import type { Database } from "../../base/database.ts";
import { withinBudget } from "../../store/budget.ts";
import type { BodyReader } from "../validation/check.ts";
import { type Sql, EVERY_ROW } from "./filter-fields.ts";
import { notSortable, readSort } from "./sort.ts";

/** One key of an order: an SQL expression and a direction; nulls come last in both directions. */
export interface OrderKey {
  expression: string;
  direction: 1 | -1;
  /** Values bound in the expression, in order. */
  values?: readonly SQLInputValue[];
  /** Never null, so that an index can give the order, and the rows behind a cursor. */
  notNull?: true;
}

/** A sort field as SQL: one expression, or several with the same direction. */
export type OrderLookup = (
  name: string,
  type: unknown,
) => string | readonly Omit<OrderKey, "direction">[] | undefined;

/** Compiles `sort`: `fallback` is the order without one, `tie` (unique for each row) comes last. Problems are reported under `sort`. */
export function readOrder(
  sort: unknown,
  fields: OrderLookup,
  check: BodyReader,
  { fallback, tie }: { fallback: readonly OrderKey[]; tie: OrderKey },
): OrderKey[] {
  const entries = readSort(sort, check);
  if (!entries) return [...fallback, tie];
  const keys = entries.flatMap((entry) => {
    const found = fields(entry.field, entry.type);
    if (found === undefined) notSortable(check, entry);
    const isKnown = [...fallback, tie].some(({ expression, notNull }) => notNull && expression === found);
    const single = { expression: String(found), ...(isKnown && { notNull: true as const }) };
    const steps = typeof found === "string" ? [single] : (found ?? []);
    return steps.map((step) => ({ ...step, direction: entry.direction }));
  });
  return [...keys, tie];
}

type Side = "next" | "prev";

/** A position in a list: the order's values of the row beside it. */
export interface Cursor {
  side: Side;
  values: SQLInputValue[];
}

/** A hash of the list's name, reader, filter and sort, which a cursor must match. */
export const bindingOf = (...parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);

/** Reads `next` or `prev` of a request; a cursor of another query is a problem (code 4) of its field. */
export function readCursor(
  check: BodyReader,
  binding: string,
  keys: readonly OrderKey[],
): Cursor | undefined {
  const next = check.text("next") || undefined;
  const prev = check.text("prev") || undefined;
  if (next !== undefined && prev !== undefined) check.fail("prev", "cannot be given together with next");
  const side: Side = next === undefined ? "prev" : "next";
  const text = next ?? prev;
  if (text === undefined) return undefined;
  const values = decodeCursor(text, binding);
  if (values?.length === keys.length) return { side, values };
  check.fail(side, "is no cursor of this query");
  return undefined;
}

const encodeCursor = (binding: string, values: unknown[]): string =>
  Buffer.from(JSON.stringify([binding, ...values])).toString("base64url");

function decodeCursor(text: string, binding: string): SQLInputValue[] | undefined {
  try {
    const [cursorBinding, ...values] = JSON.parse(
      Buffer.from(text, "base64url").toString("utf8"),
    ) as unknown[];
    const scalar = (value: unknown): boolean =>
      value === null || typeof value === "string" || typeof value === "number";
    return cursorBinding === binding && values.every(scalar) ? (values as SQLInputValue[]) : undefined;
  } catch {
    return undefined;
  }
}

function conditionBeyond(keys: readonly OrderKey[], { side, values }: Cursor): Sql {
  const boundValues: SQLInputValue[] = [];
  const steps = keys.map((last, i) => {
    const equal = keys.slice(0, i).map((key, index) => {
      boundValues.push(...(key.values ?? []), values[index]!);
      return `${key.expression} IS ?`;
    });
    return [...equal, step(last, values[i]!)].join(" AND ");
  });
  const beyond = steps.map((text) => `(${text})`).join(" OR ");
  const [first] = keys;
  if (!first?.notNull || values[0] === null) return { text: beyond, values: boundValues };
  // What follows from the rest, and tells SQLite where to begin.
  return {
    text: `${first.expression} ${signOf(first)}= ? AND (${beyond})`,
    values: [...(first.values ?? []), values[0]!, ...boundValues],
  };

  function signOf({ direction }: OrderKey): string {
    return (direction === 1) === (side === "next") ? ">" : "<";
  }

  function step(key: OrderKey, value: SQLInputValue): string {
    const { expression, values: expressionValues = [] } = key;
    if (value === null) {
      if (side === "next") return "0";
      boundValues.push(...expressionValues);
      return `${expression} IS NOT NULL`;
    }
    boundValues.push(...expressionValues, value);
    const comparison = `${expression} ${signOf(key)} ?`;
    if (side === "prev" || key.notNull) return comparison;
    boundValues.push(...expressionValues);
    return `(${comparison} OR ${expression} IS NULL)`;
  }
}

export interface ListPage<Row> {
  rows: Row[];
  /** Present when there are more rows in that direction. */
  next?: string;
  prev?: string;
}

/** One page of `SELECT <columns> FROM <from> WHERE <where>` in its order. */
export function listPage<Row>(
  db: Database,
  query: {
    columns: string;
    from: string;
    fromValues?: readonly SQLInputValue[];
    where: Sql;
    keys: readonly OrderKey[];
    limit: number;
    binding: string;
    cursor: Cursor | undefined;
    /** For lists that allow offsets too; ignored with a cursor. */
    offset?: number;
  },
): ListPage<Row> {
  const { keys, cursor, limit, where, offset = 0 } = query;
  const backwards = cursor?.side === "prev";
  const cursorCondition = cursor ? conditionBeyond(keys, cursor) : EVERY_ROW;
  const order = keys.map(({ direction, notNull }, i) => {
    const sqlDirection = (direction === 1) === !backwards ? "ASC" : "DESC";
    return `cursor_${i} ${sqlDirection}${notNull ? "" : ` NULLS ${backwards ? "FIRST" : "LAST"}`}`;
  });
  // The cursor before the filter: of several bounds, SQLite enters an index by the first.
  const found = db.raw
    .prepare(
      `SELECT ${query.columns}, ${keys.map(({ expression }, i) => `${expression} AS cursor_${i}`).join(", ")}
       FROM ${query.from} WHERE ${withinBudget(keys.at(-1)!.expression)} AND (${cursorCondition.text}) AND (${where.text}) ORDER BY ${order.join(", ")} LIMIT ? OFFSET ?`,
    )
    .all(
      ...keys.flatMap((key) => key.values ?? []),
      ...(query.fromValues ?? []),
      ...cursorCondition.values,
      ...where.values,
      limit + 1,
      cursor ? 0 : offset,
    ) as Record<string, unknown>[];
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  const cursorAt = (row: Record<string, unknown>): string =>
    encodeCursor(
      query.binding,
      keys.map((_, i) => row[`cursor_${i}`]),
    );
  const [first, last] = [rows[0], rows.at(-1)];
  const listed: ListPage<Row> = { rows: rows as Row[] };
  if (!first || !last) return listed;
  if (backwards || hasMore) listed.next = cursorAt(last);
  if (backwards ? hasMore : cursor !== undefined || offset > 0) listed.prev = cursorAt(first);
  return listed;
}
