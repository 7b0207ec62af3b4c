/** Stored reminders, and their short form on messages (RE-8). */
import type { Reminder } from "../../../../wire/entities/reminder.ts";
import { timeFromMicros, maybeTime } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";

export interface ReminderRow {
  user_id: string;
  message_id: string;
  cid: string;
  parent_id: string | null;
  remind_at: number | null;
  told: number;
  created_at: number;
  updated_at: number;
}

export function reminderView(row: ReminderRow): Reminder {
  return {
    channel_cid: row.cid,
    message_id: row.message_id,
    user_id: row.user_id,
    remind_at: maybeTime(row.remind_at) ?? null,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

/** The user's reminders by message id; empty without a user. */
export function remindersOn(
  db: Database,
  userId: string | undefined,
  messageIds: readonly string[],
): Map<string, Reminder> {
  const found = new Map<string, Reminder>();
  if (userId === undefined || messageIds.length === 0) return found;
  for (const row of db.all<ReminderRow>(
    "SELECT * FROM reminders WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))",
    userId,
    JSON.stringify(messageIds),
  ))
    found.set(row.message_id, reminderView(row));
  return found;
}

export function findReminder(db: Database, userId: string, messageId: string): ReminderRow | undefined {
  return db.get<ReminderRow>(
    "SELECT * FROM reminders WHERE user_id = ? AND message_id = ?",
    userId,
    messageId,
  );
}

export function countReminders(db: Database, userId: string): number {
  return db.value<number>("SELECT count(*) FROM reminders WHERE user_id = ?", userId)!;
}

export function remindersOfMessages(db: Database, messageIds: readonly string[]): ReminderRow[] {
  return db.all<ReminderRow>(
    "SELECT * FROM reminders WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}

export function insertReminder(db: Database, row: ReminderRow): void {
  db.run(
    `INSERT INTO reminders (user_id, message_id, cid, parent_id, remind_at, created_at, updated_at)
     VALUES (:user_id, :message_id, :cid, :parent_id, :remind_at, :created_at, :updated_at)`,
    row,
  );
}

/** Sets a new time, which is notified again. */
export function storeReminderTime(db: Database, row: ReminderRow): void {
  db.run(
    `UPDATE reminders SET remind_at = :remind_at, told = 0, updated_at = :updated_at
     WHERE user_id = :user_id AND message_id = :message_id`,
    row,
  );
}

export function removeReminder(db: Database, userId: string, messageId: string): void {
  db.run("DELETE FROM reminders WHERE user_id = ? AND message_id = ?", userId, messageId);
}

export function removeRemindersOf(db: Database, messageIds: readonly string[]): void {
  db.run(
    "DELETE FROM reminders WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}

/** When the next reminder without a notification is due. */
export function nextReminderAt(db: Database): number | undefined {
  return db.value<number>("SELECT min(remind_at) FROM reminders WHERE told = 0 AND remind_at IS NOT NULL");
}

/** Due reminders without a notification, earliest first. */
export function remindersDueAt(db: Database, now: number, limit: number): ReminderRow[] {
  return db.all<ReminderRow>(
    `SELECT * FROM reminders WHERE told = 0 AND remind_at IS NOT NULL AND remind_at <= ?
     ORDER BY remind_at LIMIT ?`,
    now,
    limit,
  );
}

export function markReminderSent(db: Database, { user_id, message_id }: ReminderRow): void {
  db.run("UPDATE reminders SET told = 1 WHERE user_id = ? AND message_id = ?", user_id, message_id);
}
