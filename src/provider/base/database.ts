/** The database interface that handlers use, and the parts of its schema. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

type Row = Record<string, SQLInputValue>;

/**
 * Parameters of a statement: values in the order of its `?`, or one object with a key for each `:name`. The object may have
 * more keys than the statement uses, so that a row can be passed as it is.
 */
export type StatementValues = readonly SQLInputValue[] | readonly [named: object];

export interface Database {
  readonly raw: DatabaseSync;
  /** The prepared statement for this text, cached. Only for texts from a bounded set. */
  prepare(sql: string): StatementSync;
  get<T extends object = Row>(sql: string, ...values: StatementValues): T | undefined;
  all<T extends object = Row>(sql: string, ...values: StatementValues): T[];
  has(sql: string, ...values: StatementValues): boolean;
  /** The first column of the first row; undefined without a row or for NULL. */
  value<T extends SQLOutputValue>(sql: string, ...values: StatementValues): T | undefined;
  /** The first column of every row. */
  column<T extends SQLOutputValue>(sql: string, ...values: StatementValues): T[];
  run(
    sql: string,
    ...values: StatementValues
  ): { changes: number | bigint; lastInsertRowid: number | bigint };
}

/** Data computed from the rest of the file, which can be rebuilt when it alone is damaged. */
export interface Derived {
  /** For people: "the search index". */
  name: string;
  /** A query that finds a row when the file has this data; files of older versions may lack it. */
  present: string;
  /** SQL text that drops and rebuilds the data. */
  rebuild: string;
}

export interface SchemaPart {
  name: string;
  /** Append-only: a released text never changes. */
  migrations: readonly string[];
  /** Registers the SQL functions that the migrations and queries call, before anything else runs on the connection. */
  registerFunctions?(raw: DatabaseSync): void;

  derived?: Derived | undefined;
}
