/** Single columns of stored messages, as something around the message changes. */
import type { Database } from "../../../store/database.ts";

export function touchMessage(db: Database, id: string, at: number): void {
  db.run("UPDATE message_rows SET updated_at = ? WHERE id = ?", at, id);
}

/** `living` and `deleted` are added to the counts of replies under a message. */
export function moveReplyCounts(db: Database, id: string, living: number, deleted: number): void {
  db.run(
    "UPDATE message_rows SET reply_count = reply_count + ?, deleted_reply_count = deleted_reply_count + ? WHERE id = ?",
    living,
    deleted,
    id,
  );
}
