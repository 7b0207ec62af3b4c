/** Messages that users deleted for themselves alone. */
import type { Database } from "../../../store/database.ts";

export function deletedAny(db: Database, userId: string): boolean {
  return db.get("SELECT 1 FROM deleted_for_me WHERE user_id = ? LIMIT 1", userId) !== undefined;
}
