/** The provider's database as handlers use it: prepared statements kept by their text. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

type Row = Record<string, SQLInputValue>;

export interface Database {
  readonly raw: DatabaseSync;
  /** The prepared statement of this text, prepared once. Only for texts from a bounded set. */
  prepare(sql: string): StatementSync;
  get<T extends object = Row>(sql: string, ...values: SQLInputValue[]): T | undefined;
  all<T extends object = Row>(sql: string, ...values: SQLInputValue[]): T[];
  run(
    sql: string,
    ...values: SQLInputValue[]
  ): { changes: number | bigint; lastInsertRowid: number | bigint };
}
