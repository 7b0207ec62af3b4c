/** Stores a message: its row, the counters it changes, and its events (specification/messages.md §4, specification/events.md §5). */
import type { Message } from "../../../../wire/entities/message.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import type { Outgoing } from "../../../base/emit.ts";
import { channelView } from "../../channels/view/channels.ts";
import { isMember } from "../../channels/storage/rows.ts";
import { eventContext, visibleTo } from "../view/audience.ts";
import { type NewMessage, newMessageRow } from "../storage/new-message.ts";
import type { MessageData, MessageRow } from "../storage/rows.ts";
import { messageView } from "../view/messages.ts";
import { viewContext, type ViewContext } from "../../users/view/view-context.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { addReply, publishThread, threadUpdate } from "../../threads/rules/participants.ts";
import { measureResponse } from "../../users/storage/response-time.ts";
import { blockedRecipient } from "../../users/storage/blocks-in-pairs.ts";
import { notNotified } from "../../threads/storage/rows.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { scheduleUnreadReminders } from "../../admin/rules/unread-reminders.ts";
import { raiseUnread, uncountedMembers, unreadTotals } from "../../reads/storage/unread.ts";
import { locations } from "../../locations/storage/rows.ts";
import { setHidden, membersHiding } from "../../channels/storage/members.ts";
import { countMessage } from "../../channels/storage/change.ts";
import { insertMessage } from "../storage/change.ts";

/** The row to store, with the members it does not count for and the thread participants it does not notify. */
function countedRow(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
  now: number,
): MessageRow {
  const row = newMessageRow(permissions, author, message, Math.max(now, permissions.channel.last_stamp + 1));
  const counts = row.listed === 1 && !message.silent && row.shadowed === 0 && permissions.config.read_events;
  const uncounted = counts ? uncountedMembers(call.db, row.cid, author.id, now) : [];
  row.counts = Number(counts);
  row.uncounted = uncounted.length ? JSON.stringify(uncounted) : null;
  if (!message.parent) return row;
  const not_notified = notNotified(call.db, message.parent, author.id, message.mentioned, now);
  if (not_notified.length)
    row.data = JSON.stringify({ ...(JSON.parse(row.data) as MessageData), not_notified });
  return row;
}

function insert(db: Database, row: MessageRow, location: NewMessage["location"]): void {
  insertMessage(db, row);
  if (!location) return;
  const { latitude, longitude, device, endAt } = location;
  locations.insert(db, {
    message_id: row.id,
    cid: row.cid,
    user_id: row.user_id,
    latitude,
    longitude,
    device_id: device,
    end_at: endAt,
    created_at: row.created_at,
    updated_at: row.created_at,
  });
}

/** Updates the channel's counters; a message that others do not see leaves `last_message_at` alone. */
function countInChannel(db: Database, { channel, config }: Permissions, row: MessageRow): void {
  const updatesTime =
    row.listed === 1 &&
    row.shadowed === 0 &&
    !(row.type === "system" && config.skip_last_msg_update_for_system_msgs);
  countMessage(db, row.cid, row.created_at, updatesTime);
  channel.last_stamp = row.created_at;
  channel.message_count += 1;
  if (updatesTime) channel.last_message_at = row.created_at;
}

/** Stores the message. `emitsEvents: false` emits no events (for a message inside another event). */
export function storeMessage(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
  emitsEvents = true,
): { row: MessageRow; view: Message; context: ViewContext } {
  const { db } = call;
  const { channel, config } = permissions;
  const now = call.now();
  const row = countedRow(call, permissions, author, message, now);
  const shadowed = row.shadowed === 1;
  insert(db, row, message.location);
  countInChannel(db, permissions, row);
  if (!shadowed) measureResponse(db, channel, author.id, row.created_at);
  if (row.counts === 1) {
    const uncounted = row.uncounted === null ? [] : (JSON.parse(row.uncounted) as string[]);
    raiseUnread(db, row.cid, author.id, uncounted, message.restricted);
    if (config.reminders) scheduleUnreadReminders(db, row.cid, row.created_at);
  }
  const context: ViewContext = { ...viewContext(db, call.emit, now), people: new People(db, call.emit) };
  context.people.add(author);
  const parent =
    message.parent && !shadowed
      ? addReply(call, permissions, message.parent, row, message.mentioned)
      : undefined;
  const view = messageView(context, row);
  if (row.listed === 1)
    unhide(
      call,
      permissions,
      context,
      author.id,
      message.keepHidden === true,
      shadowed ? [] : message.restricted,
    );
  if (emitsEvents) publishNew(call, permissions, context, row, view, parent);
  return { row, view, context };
}

/** Shows the channel again to members who hid it, unless they muted it or, in a channel of two, blocked the author (specification/channels.md §7, BL-3). */
function unhide(
  call: RouteCall,
  permissions: Permissions,
  context: ViewContext,
  authorId: string,
  keepHidden: boolean,
  only: string[] | undefined,
): void {
  const { cid } = permissions.channel;
  const hiderIds = membersHiding(call.db, cid, context.now);
  const blocked = hiderIds.length > 0 ? blockedRecipient(call.db, cid, authorId) : undefined;
  for (const userId of hiderIds) {
    if ((userId === authorId && keepHidden) || userId === blocked) continue;
    if (only && userId !== authorId && !only.includes(userId)) continue;
    setHidden(call.db, cid, userId, null);
    call.emit.user(
      userId,
      { type: "channel.visible", channel: channelView(context.people, permissions.channel) },
      { cid },
    );
  }
}

/** Emits `message.new` to watchers, `notification.message_new` to other members, and thread events to participants. */
function publishNew(
  call: RouteCall,
  permissions: Permissions,
  context: ViewContext,
  row: MessageRow,
  view: Message,
  parent?: MessageRow,
): void {
  const { db, emit } = call;
  const { cid } = permissions.channel;
  const only = visibleTo(call, row);
  const thread = parent && threadUpdate(eventContext(context, row), parent);
  const count = permissions.config.count_messages
    ? { channel_message_count: permissions.channel.message_count }
    : {};
  const counters = (userId: string): Record<string, unknown> | undefined =>
    isMember(db, cid, userId) ? unreadTotals(db, userId) : undefined;
  emit.watchers(
    cid,
    {
      type: "message.new",
      user: view.user,
      message: view,
      message_id: row.id,
      watcher_count: emit.watcherInfo(cid).count,
      ...count,
      ...thread?.keys,
    },
    only,
    counters,
  );
  let base: Outgoing | undefined;
  emit.membersNotWatching(cid, (userId) => {
    if (only && !only.has(userId)) return undefined;
    base ??= {
      type: "notification.message_new",
      user: view.user,
      message: view,
      message_id: row.id,
      channel: channelView(context.people, permissions.channel),
      ...count,
    };
    return { ...base, ...unreadTotals(db, userId) };
  });
  if (thread) publishThread(call, permissions, context, row, view, thread, only);
}
