/** Members to check for messages that have been unread too long. */
import type { Database } from "../../../base/database.ts";

/** Every member with something unread in the channel; who is waited for already stays as it is. */
export function expectReaders(db: Database, cid: string, due: number): void {
  db.run(
    `INSERT OR IGNORE INTO unread_reminders (user_id, cid, due)
     SELECT user_id, cid, ? FROM reads WHERE cid = ? AND unread > 0`,
    due,
    cid,
  );
}

export function expectReader(db: Database, userId: string, cid: string, due: number): void {
  db.run("INSERT OR REPLACE INTO unread_reminders (user_id, cid, due) VALUES (?, ?, ?)", userId, cid, due);
}

export function nextReaderAt(db: Database): number | undefined {
  return db.value<number>("SELECT min(due) FROM unread_reminders");
}

/** The user who is due first. */
export function firstReaderDue(db: Database, now: number): string | undefined {
  return db.value<string>("SELECT user_id FROM unread_reminders WHERE due <= ? ORDER BY due LIMIT 1", now);
}

/** The channels in which the user is due, who is waited for there no longer. */
export function takeDueChannels(db: Database, userId: string, now: number): string[] {
  const cids = db.column<string>(
    "SELECT cid FROM unread_reminders WHERE user_id = ? AND due <= ? ORDER BY cid",
    userId,
    now,
  );
  db.run("DELETE FROM unread_reminders WHERE user_id = ? AND due <= ?", userId, now);
  return cids;
}
