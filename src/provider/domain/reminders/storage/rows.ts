/** Reminders as rows, and as they ride on messages (RE-8): without the objects around them. */
import type { Reminder } from "../../../../wire/reminder.ts";
import { timeFromMicros, maybeTime } from "../../../../wire/time.ts";
import type { Database } from "../../../store/database.ts";

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

/** The user's reminders of these messages; nobody's without a user. */
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
