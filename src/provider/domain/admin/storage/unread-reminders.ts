/** Scheduled checks for messages that were unread too long. */
import type { Database } from "../../../base/database.ts";

/** Schedules a check for each member with unread messages in the channel; checks scheduled earlier are kept. */
export function insertUnreadReminders(db: Database, cid: string, due: number): void {
  db.run(
    `INSERT OR IGNORE INTO unread_reminders (user_id, cid, due)
     SELECT user_id, cid, :due FROM reads WHERE cid = :cid AND unread > 0`,
    { cid, due },
  );
}
