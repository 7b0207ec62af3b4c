/** Tells the app's servers who has unread messages for longer than `reminders_interval`, in types with `reminders` (specification/admin.md §1, specification/events.md §3). */
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
import {
  expectReaders,
  expectReader,
  nextReaderAt,
  firstReaderDue,
  takeDueChannels,
} from "../storage/unread-reminders.ts";
import { unreadMessages } from "../../reads/storage/unread.ts";

/** Messages told of one channel, the oldest unread first. */
const MESSAGES = 25;

/** A message raised unread numbers in the channel: its members are looked at again when the interval is over. */
export function expectReading(db: Database, cid: string, now: number): void {
  expectReaders(db, cid, now + readApp(db).reminders_interval * 1_000_000);
}

/** What one channel adds to a user's reminder; undefined when nothing is unread for long enough. */
function unreadIn(
  due: DueContext,
  userId: string,
  cid: string,
  now: number,
): Record<string, unknown> | undefined {
  const { db, emit } = due;
  const channel = findChannel(db, cid);
  const read = readRow(db, cid, userId);
  if (!channel || !read || read.unread === 0) return undefined;
  if (!configOf(db, channel.type, channel.overrides)?.reminders) return undefined;
  const rows = unreadMessages(db, cid, userId, read.last_read, MESSAGES);
  if (rows.length === 0) return undefined;
  const at = rows[0]!.created_at + readApp(db).reminders_interval * 1_000_000;
  if (at > now) {
    // The user has read in between, and something newer has come since.
    expectReader(db, userId, cid, at);
    return undefined;
  }
  const seen = viewContext(db, emit, now);
  return { channel: channelView(new People(db, emit), channel), messages: messageViews(seen, rows) };
}

export const unreadRemindersDue: DueWork = {
  name: "unread reminders",
  next: nextReaderAt,
  run(due) {
    const { db } = due;
    const now = due.now();
    const userId = firstReaderDue(db, now);
    if (userId === undefined) return;
    const channels: Record<string, unknown> = {};
    for (const cid of takeDueChannels(db, userId, now)) {
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
