/** The events of reminders for their owner, and removing reminders with erased messages (RE-7). */
import type { RouteCall } from "../../../base/handler.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { reminders, type ReminderRow } from "../storage/reminders.ts";
import { withoutDraft } from "../../messages/view/messages.ts";
import { fullReminders } from "../view/reminders.ts";

export function publishReminder(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  type: "reminder.created" | "reminder.updated" | "reminder.deleted" | "notification.reminder_due",
  row: ReminderRow,
): void {
  const context = viewContext(call.db, call.emit, call.now(), row.user_id);
  const [reminder] = fullReminders(context, [row]);
  const { message } = reminder!;
  call.emit.user(
    row.user_id,
    {
      type,
      reminder: { ...reminder, ...(message && { message: withoutDraft(message) }) },
      message_id: row.message_id,
      user_id: row.user_id,
      ...(row.parent_id === null ? {} : { parent_id: row.parent_id }),
    },
    { cid: row.cid },
  );
}

/** Removes the reminders of messages that are erased, with an event each (RE-7). */
export function dropReminders(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  messageIds: readonly string[],
): void {
  const rows = reminders.list(call.db, { message_id: messageIds });
  for (const row of rows) publishReminder(call, "reminder.deleted", row);
  if (rows.length > 0) reminders.remove(call.db, { message_id: messageIds });
}
