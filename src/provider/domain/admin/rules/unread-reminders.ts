/** Reports users with messages unread for longer than `reminders_interval`, in types with `reminders`, to the app's servers (specification/admin.md §1, specification/events.md §3). */
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import { configOf } from "../../access/storage/access.ts";
import { findChannel, readRow } from "../../channels/storage/rows.ts";
import { channelView } from "../../channels/view/channels.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { People } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";
import { unreadReminders } from "../storage/schema.ts";
import { insertUnreadReminders } from "../storage/unread-reminders.ts";
import type { Fields } from "../../validation/check.ts";
import { newestUnread, oldestUnread } from "../../reads/storage/unread.ts";

/** Messages per channel in a report, the newest first. */
const MESSAGES_PER_CHANNEL = 5;

/** Schedules a check of the members who have not read a new message; it runs when the interval is over. */
export function scheduleUnreadReminders(db: Database, cid: string, now: number): void {
  insertUnreadReminders(db, cid, now + readApp(db).reminders_interval * 1_000_000);
}

/** The part of a user's report about one channel; undefined when nothing there is unread for long enough. */
function unreadIn(due: DueContext, userId: string, cid: string, now: number): Fields | undefined {
  const { db, emit } = due;
  const channel = findChannel(db, cid);
  const read = readRow(db, cid, userId);
  if (!channel || !read || read.unread === 0) return undefined;
  if (!configOf(db, channel.type, channel.overrides)?.reminders) return undefined;
  const oldest = oldestUnread(db, cid, userId, read.last_read);
  if (oldest === undefined) return undefined;
  const dueAt = oldest + readApp(db).reminders_interval * 1_000_000;
  if (dueAt > now) {
    // The user has read the older messages; a newer one is unread and due later.
    unreadReminders.put(db, { user_id: userId, cid, due: dueAt });
    return undefined;
  }
  const rows = newestUnread(db, cid, userId, read.last_read, MESSAGES_PER_CHANNEL);
  const context = viewContext(db, emit, now);
  return { channel: channelView(new People(db, emit), channel), messages: messageViews(context, rows) };
}

export const unreadRemindersDue: DueWork = {
  name: "unread reminders",
  next: (db) => unreadReminders.min(db, "due"),
  run(due) {
    const { db } = due;
    const now = due.now();
    const isDue = { due: { upTo: now } };
    const first = unreadReminders.find(db, isDue, { by: ["due"], limit: 1 });
    if (!first) return;
    const userId = first.user_id;
    const cids = unreadReminders.values(db, "cid", { user_id: userId, ...isDue }, { by: ["cid"] });
    unreadReminders.remove(db, { user_id: userId, ...isDue });
    const channels: Fields = {};
    for (const cid of cids) {
      const found = unreadIn(due, userId, cid, now);
      if (found) channels[cid] = found;
    }
    const user = findUser(db, userId);
    if (
      Object.keys(channels).length === 0 ||
      !user ||
      user.deleted_at !== null ||
      user.deactivated_at !== null
    )
      return;
    due.emit.server({
      type: "user.unread_message_reminder",
      user: new People(db, due.emit).get(userId),
      channels,
    });
  },
};
