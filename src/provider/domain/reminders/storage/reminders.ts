/** Stored reminders: their table, the list of a user's (RE-4), and their short form on messages (RE-8). */
import type { Reminder } from "../../../../wire/entities/reminder.ts";
import { reminderBodies } from "../../../../wire/bodies/reminders.ts";
import { timeFromMicros, maybeTime } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { ONE_OF, DATE_RANGE, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";

export const reminders = table(
  "reminders",
  {
    user_id: TEXT.key,
    message_id: TEXT.key,
    cid: TEXT,
    parent_id: TEXT.null,
    /** Null: a bookmark. */
    remind_at: INTEGER.null,
    /** 1: notification.reminder_due was sent for this `remind_at`. */
    told: INTEGER.default(0),
    created_at: INTEGER,
    updated_at: INTEGER,
  },
  {
    indexes: {
      reminders_by_time: "(user_id, remind_at)",
      reminders_of_message: "(message_id)",
      reminders_due: "(remind_at) WHERE told = 0 AND remind_at IS NOT NULL",
    },
  },
);
export type ReminderRow = RowOf<typeof reminders>;

export const REMINDER_LIST: ListDefinition<ReminderRow> = {
  name: "reminders",
  from: "reminders r JOIN channels c ON c.cid = r.cid",
  columns: "r.*",
  of: "r.user_id = ?",
  fields: ownEntry({
    message_id: textField("r.message_id", ONE_OF),
    channel_cid: textField("r.cid", ONE_OF),
    channel_id: textField("substr(r.cid, instr(r.cid, ':') + 1)", ONE_OF),
    remind_at: timeField("r.remind_at", DATE_RANGE),
    created_at: timeField("r.created_at", DATE_RANGE),
  }),
  orders: ownEntry({ remind_at: "r.remind_at", created_at: "r.created_at" }),
  // Bookmarks have no time, and NULL sorts last here.
  fallback: [{ expression: "r.remind_at", direction: 1 }],
  tie: { expression: "r.message_id", direction: 1 },
  limit: reminderBodies.queryReminders.limit,
};

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
  if (userId === undefined || messageIds.length === 0) return new Map();
  const rows = reminders.list(db, { user_id: userId, message_id: messageIds });
  return new Map(rows.map((row) => [row.message_id, reminderView(row)]));
}
