/** Reminders with their channel, message and user (RE-5). */
import type { Reminder } from "../../../../wire/entities/reminder.ts";
import { channelsByCid } from "../../channels/view/channels.ts";
import { messagesById } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import { reminderView, type ReminderRow } from "../storage/reminders.ts";

/** The viewer's reminders in the order of the rows; a whole page is read together. */
export function fullReminders(context: ViewContext, rows: readonly ReminderRow[]): Reminder[] {
  const channels = channelsByCid(
    context.people,
    rows.map(({ cid }) => cid),
  );
  const messages = messagesById(
    context,
    rows.map(({ message_id }) => message_id),
  );
  return rows.map((row) => {
    const channel = channels.get(row.cid);
    const message = messages.get(row.message_id);
    return {
      ...reminderView(row),
      ...(channel ? { channel } : {}),
      ...(message ? { message } : {}),
      user: context.people.get(row.user_id),
    };
  });
}
