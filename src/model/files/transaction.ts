/** Runs a SQLite transaction and converts its failures. */
import type { DatabaseSync } from "node:sqlite";
import { withStoreFailure } from "./storage.ts";

/** Runs `work` in an immediate transaction, which is rolled back if it throws. */
export function transaction<T>(db: DatabaseSync, file: string, work: () => T, shown?: string): T {
  return withStoreFailure(
    file,
    () => {
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    shown,
  );
}
