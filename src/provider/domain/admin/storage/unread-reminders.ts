/** Scheduled checks for messages that were unread too long. */
import type { Database } from "../../../base/database.ts";

/** Schedules a check for each member with unread messages in the channel; checks scheduled earlier are kept. */
export function insertUnreadReminders(db: Database, cid: string, due: number): void {
  db.run(
    `INSERT OR IGNORE INTO unread_reminders (user_id, cid, due)
     SELECT user_id, cid, ? FROM reads WHERE cid = ? AND unread > 0`,
    due,
    cid,
  );
}

export function setUnreadReminder(db: Database, userId: string, cid: string, due: number): void {
  db.run("INSERT OR REPLACE INTO unread_reminders (user_id, cid, due) VALUES (?, ?, ?)", userId, cid, due);
}

export function nextUnreadReminderAt(db: Database): number | undefined {
  return db.value<number>("SELECT min(due) FROM unread_reminders");
}

/** The user whose check is due first. */
export function firstDueReader(db: Database, now: number): string | undefined {
  return db.value<string>("SELECT user_id FROM unread_reminders WHERE due <= ? ORDER BY due LIMIT 1", now);
}

/** Removes the user's due checks and returns their channels. */
export function takeDueChannels(db: Database, userId: string, now: number): string[] {
  const cids = db.column<string>(
    "SELECT cid FROM unread_reminders WHERE user_id = ? AND due <= ? ORDER BY cid",
    userId,
    now,
  );
  db.run("DELETE FROM unread_reminders WHERE user_id = ? AND due <= ?", userId, now);
  return cids;
}
