/** Runs a transaction of a SQLite file, with its failures in words. */
import type { DatabaseSync } from "node:sqlite";
import { withStoreFailure } from "./storage.ts";

/** One immediate transaction of a database in a file; nothing of it stays when `work` throws. */
export function transaction<T>(db: DatabaseSync, file: string, work: () => T): T {
  return withStoreFailure(file, () => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  });
}
