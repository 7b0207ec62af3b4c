/** Caches the prepared SQL statements of a file. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

export type PrepareStatement = (text: string) => StatementSync;

export interface OpenFile {
  db: DatabaseSync;
  /** Its path, for error messages. */
  file: string;
  sql: PrepareStatement;
}

export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  readonly get: PrepareStatement = (text) => {
    let statement = this.#prepared.get(text);
    if (!statement) this.#prepared.set(text, (statement = this.#db.prepare(text)));
    return statement;
  };

  clear(): void {
    this.#prepared.clear();
  }
}
