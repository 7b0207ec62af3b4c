/** Counts unsent messages in a state.db, read-only, for commands that are about to delete it. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { requirePlainDatabase } from "../../model/files/own-files.ts";

/** 0 when the file is missing or cannot be read: nothing in it could be sent either. */
export function countUnsent(file: string): number {
  if (!existsSync(file)) return 0;
  try {
    requirePlainDatabase(file);
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return Number(db.prepare("SELECT count(DISTINCT message_id) AS n FROM outbox").get()?.n ?? 0);
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
}
