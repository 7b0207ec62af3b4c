/** The provider's database as handlers use it: prepared statements kept by their text. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

type Row = Record<string, SQLInputValue>;

/**
 * What the parameters of a statement stand for: values in the order of its `?`, or one object with a key for each name of
 * its `:name`s. The object may hold more than the statement names, so that a row goes in as it is.
 */
export type StatementValues = readonly SQLInputValue[] | readonly [named: object];

export interface Database {
  readonly raw: DatabaseSync;
  /** The prepared statement of this text, prepared once. Only for texts from a bounded set. */
  prepare(sql: string): StatementSync;
  get<T extends object = Row>(sql: string, ...values: StatementValues): T | undefined;
  all<T extends object = Row>(sql: string, ...values: StatementValues): T[];
  /** Is there any row. */
  has(sql: string, ...values: StatementValues): boolean;
  /** The first column of the first row; undefined for NULL, too. */
  value<T extends SQLOutputValue>(sql: string, ...values: StatementValues): T | undefined;
  /** The first column of every row. */
  column<T extends SQLOutputValue>(sql: string, ...values: StatementValues): T[];
  run(
    sql: string,
    ...values: StatementValues
  ): { changes: number | bigint; lastInsertRowid: number | bigint };
}
