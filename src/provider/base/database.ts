/** The provider's database as handlers use it, and the parts its schema is made of. */
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

export interface Derived {
  /** For people: "the search index". */
  name: string;
  /** A query that finds a row when the file has it: an older one may not yet. */
  present: string;
  /** SQL text that drops it and makes it anew. */
  rebuild: string;
}

export interface SchemaPart {
  name: string;
  /** Only ever appended to: a released text never changes. */
  migrations: readonly string[];
  /** SQL functions that its texts and queries call; given to the connection before anything else runs on it. */
  registerFunctions?(raw: DatabaseSync): void;
  /** What can be made anew from the rest of the file when it alone is damaged. */
  derived?: Derived | undefined;
}
