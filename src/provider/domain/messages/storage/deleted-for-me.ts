/** Messages that users deleted for themselves alone. */
import type { Database } from "../../../store/database.ts";

export function deletedAny(db: Database, userId: string): boolean {
  return db.get("SELECT 1 FROM deleted_for_me WHERE user_id = ? LIMIT 1", userId) !== undefined;
}

/** Messages of a channel that the user deleted, oldest deletion first. */
export function deletedForMe(db: Database, userId: string, cid: string): string[] {
  return db
    .all<{ message_id: string }>(
      "SELECT message_id FROM deleted_for_me WHERE user_id = ? AND cid = ? ORDER BY created_at",
      userId,
      cid,
    )
    .map(({ message_id }) => message_id);
}
