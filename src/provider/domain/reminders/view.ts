/** Reminders with the objects around them, and their events for the owner's own connections (RE-5). */
import type { Reminder } from "../../../wire/reminder.ts";
import type { RouteCall } from "../../base/handler.ts";
import { channelsByCid } from "../channels/view.ts";
import { viewContext, messagesById, type Looking } from "../messages/view.ts";
import { reminderView, type ReminderRow } from "./rows.ts";

/** Reminders of the viewer in the order of the rows; a whole page is read together. */
export function fullReminders(at: Looking, rows: readonly ReminderRow[]): Reminder[] {
  const channels = channelsByCid(
    at.people,
    rows.map(({ cid }) => cid),
  );
  const messages = messagesById(
    at,
    rows.map(({ message_id }) => message_id),
  );
  return rows.map((row) => {
    const channel = channels.get(row.cid);
    const message = messages.get(row.message_id);
    return {
      ...reminderView(row),
      ...(channel ? { channel } : {}),
      ...(message ? { message } : {}),
      user: at.people.get(row.user_id),
    };
  });
}

export function publishReminder(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  type: "reminder.created" | "reminder.updated" | "reminder.deleted" | "notification.reminder_due",
  row: ReminderRow,
): void {
  const at = viewContext(call.db, call.emit, call.now(), row.user_id);
  call.emit.user(
    row.user_id,
    {
      type,
      reminder: fullReminders(at, [row])[0],
      message_id: row.message_id,
      user_id: row.user_id,
      ...(row.parent_id === null ? {} : { parent_id: row.parent_id }),
    },
    { cid: row.cid },
  );
}

/** RE-7: the messages are erased for good, and the reminders of them with an event each. */
export function dropReminders(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  messageIds: readonly string[],
): void {
  const { db } = call;
  const ids = JSON.stringify(messageIds);
  const rows = db.all<ReminderRow>(
    "SELECT * FROM reminders WHERE message_id IN (SELECT value FROM json_each(?))",
    ids,
  );
  for (const row of rows) publishReminder(call, "reminder.deleted", row);
  if (rows.length > 0)
    db.run("DELETE FROM reminders WHERE message_id IN (SELECT value FROM json_each(?))", ids);
}
