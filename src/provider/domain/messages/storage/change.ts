/** Single columns of stored messages, as something around the message changes. */
import type { Database } from "../../../store/database.ts";

export function touchMessage(db: Database, id: string, at: number): void {
  db.run("UPDATE message_rows SET updated_at = ? WHERE id = ?", at, id);
}
