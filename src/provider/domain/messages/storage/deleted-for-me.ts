/** Messages that users deleted only for themselves. */
import type { Database } from "../../../base/database.ts";

export function deletedAny(db: Database, userId: string): boolean {
  return db.has("SELECT 1 FROM deleted_for_me WHERE user_id = ? LIMIT 1", userId);
}

/** Messages of a channel that the user deleted, oldest deletion first. */
export function deletedForMe(db: Database, userId: string, cid: string): string[] {
  return db.column<string>(
    "SELECT message_id FROM deleted_for_me WHERE user_id = ? AND cid = ? ORDER BY created_at",
    userId,
    cid,
  );
}

export function countDeletedForMe(db: Database, userId: string, cid: string): number {
  return db.value<number>("SELECT count(*) FROM deleted_for_me WHERE user_id = ? AND cid = ?", userId, cid)!;
}

export function isDeletedForMe(db: Database, userId: string, cid: string, messageId: string): boolean {
  return db.has(
    "SELECT 1 FROM deleted_for_me WHERE user_id = ? AND cid = ? AND message_id = ?",
    userId,
    cid,
    messageId,
  );
}

export function insertDeletedForMe(
  db: Database,
  row: { user_id: string; cid: string; message_id: string; created_at: number },
): void {
  db.run(
    `INSERT INTO deleted_for_me (user_id, cid, message_id, created_at)
     VALUES (:user_id, :cid, :message_id, :created_at)`,
    row,
  );
}
