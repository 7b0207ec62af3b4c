/** Marks threads read and unread; the channel's own count does not change (TH-9, TH-10, TH-12). */
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { channelView } from "../../channels/view/channels.ts";
import { invalidField } from "../../validation/check.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { findHead, findParticipant, setThreadRead } from "../../threads/storage/rows.ts";
import { bareThread } from "../../threads/view/threads.ts";
import { THREAD_PARTICIPANTS_LIMIT } from "../../../../wire/constants.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { People, privacyOf } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { unreadCounters, unreadThreadMessages } from "../storage/unread.ts";
import { newestReply, replyBefore } from "../../messages/storage/newest.ts";

const threadCounters = (call: RouteCall, userId: string): Record<string, number> => ({
  ...unreadCounters(call.db, userId),
  unread_thread_messages: unreadThreadMessages(call.db, userId),
});

/** Does nothing for a reader who is not a participant of the thread (TH-13). */
export function markThreadRead(
  call: RouteCall,
  permissions: Permissions,
  me: UserRow,
  parent: MessageRow,
): Reply<"markRead"> {
  const { db } = call;
  if (!findParticipant(db, parent.id, me.id)) return {};
  const { cid } = permissions.channel;
  const last = newestReply(db, parent.id);
  const readAt = Math.max(call.now(), last?.created_at ?? 0);
  setThreadRead(db, {
    parent_id: parent.id,
    user_id: me.id,
    unread: 0,
    last_read: readAt,
    last_read_id: last?.id ?? null,
  });
  const people = new People(call.db, call.emit);
  people.add(me);
  const context = viewContext(call.db, call.emit, call.now());
  const head = findHead(call.db, parent.id);
  const event = {
    type: "message.read",
    // Both ends need the same time for the read state (specification/events.md §6).
    created_at: timeFromMicros(readAt),
    user: people.get(me.id),
    ...(last ? { last_read_message_id: last.id } : {}),
    thread: head
      ? bareThread(context, { head, parent, permissions }, THREAD_PARTICIPANTS_LIMIT[0])
      : undefined,
  };
  const silent = !privacyOf(me).read_receipts.enabled;
  call.emit.watchers(cid, event, silent ? new Set([me.id]) : undefined);
  call.emit.user(
    me.id,
    {
      type: "notification.mark_read",
      user: people.get(me.id),
      channel: channelView(people, permissions.channel),
      thread_id: parent.id,
      last_read_at: timeFromMicros(readAt),
      ...(last ? { last_read_message_id: last.id } : {}),
      ...threadCounters(call, me.id),
    },
    { cid },
  );
  const { type, id } = permissions.channel;
  return { event: { ...event, cid, channel_type: type, channel_id: id } };
}

/** Marks unread from the latest reply on; does nothing for a reader who is not a participant. */
export function markThreadUnread(
  call: RouteCall,
  permissions: Permissions,
  me: UserRow,
  parent: MessageRow,
): Reply<"markUnread"> {
  const row = findParticipant(call.db, parent.id, me.id);
  if (!row) return {};
  const last = newestReply(call.db, parent.id);
  if (!last) throw invalidField("thread_id", "names a thread without replies");
  const before = replyBefore(call.db, parent.id, last.created_at);
  const unread = Math.max(1, row.unread);
  setThreadRead(call.db, {
    ...row,
    unread,
    last_read: last.created_at - 1,
    last_read_id: before ?? null,
  });
  const people = new People(call.db, call.emit);
  people.add(me);
  call.emit.user(
    me.id,
    {
      type: "notification.mark_unread",
      user: people.get(me.id),
      channel: channelView(people, permissions.channel),
      thread_id: parent.id,
      first_unread_message_id: last.id,
      ...(before === undefined ? {} : { last_read_message_id: before }),
      last_read_at: timeFromMicros(last.created_at - 1),
      unread_messages: unread,
      ...threadCounters(call, me.id),
    },
    { cid: permissions.channel.cid },
  );
  return {};
}
