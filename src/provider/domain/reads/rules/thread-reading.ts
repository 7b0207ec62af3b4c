/** Reading a thread and making it unread again; the channel's own number does not move (TH-9, TH-10, TH-12). */
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { channelView } from "../../channels/view/channels.ts";
import { invalidField } from "../../validation/check.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { viewContext } from "../../messages/view/messages.ts";
import { findHead } from "../../threads/storage/rows.ts";
import { bareThread } from "../../threads/view/threads.ts";
import { THREAD_PARTICIPANTS_LIMIT } from "../../../../wire/constants.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { People, privacyOf } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { unreadThreadMessages, unreadThreads, unreadTotals } from "../storage/unread.ts";

interface ThreadRow {
  parent_id: string;
  user_id: string;
  unread: number;
  last_read: number;
  last_read_id: string | null;
}

function lastReply(call: RouteCall, parentId: string): { id: string; created_at: number } | undefined {
  return call.db.get(
    "SELECT id, created_at FROM messages WHERE parent_id = ? AND type <> 'deleted' ORDER BY created_at DESC, id DESC LIMIT 1",
    parentId,
  );
}

const own = (call: RouteCall, parentId: string, userId: string): ThreadRow | undefined =>
  call.db.get<ThreadRow>("SELECT * FROM threads WHERE parent_id = ? AND user_id = ?", parentId, userId);

const threadCounters = (call: RouteCall, userId: string): Record<string, number> => ({
  ...unreadTotals(call.db, userId),
  unread_threads: unreadThreads(call.db, userId),
  unread_thread_messages: unreadThreadMessages(call.db, userId),
});

/** A reader who takes no part in the thread changes nothing (TH-13). */
export function markThreadRead(
  call: RouteCall,
  s: Permissions,
  me: UserRow,
  parent: MessageRow,
): Reply<"markRead"> {
  if (!own(call, parent.id, me.id)) return {};
  const { cid } = s.channel;
  const last = lastReply(call, parent.id);
  const at = Math.max(call.now(), last?.created_at ?? 0);
  call.db.run(
    "UPDATE threads SET unread = 0, last_read = ?, last_read_id = ? WHERE parent_id = ? AND user_id = ?",
    at,
    last?.id ?? null,
    parent.id,
    me.id,
  );
  const people = new People(call.db, call.emit);
  people.add(me);
  const eyes = viewContext(call.db, call.emit, call.now());
  const head = findHead(call.db, parent.id);
  const event = {
    type: "message.read",
    // both ends hold the same moment of the read state (specification/events.md §6)
    created_at: timeFromMicros(at),
    user: people.get(me.id),
    ...(last ? { last_read_message_id: last.id } : {}),
    thread: head ? bareThread(eyes, { head, parent, s }, THREAD_PARTICIPANTS_LIMIT[0]) : undefined,
  };
  const silent = !privacyOf(me).read_receipts.enabled;
  call.emit.watchers(cid, event, undefined, silent ? new Set([me.id]) : undefined);
  call.emit.user(
    me.id,
    {
      type: "notification.mark_read",
      user: people.get(me.id),
      channel: channelView(people, s.channel),
      thread_id: parent.id,
      last_read_at: timeFromMicros(at),
      ...(last ? { last_read_message_id: last.id } : {}),
      ...threadCounters(call, me.id),
    },
    { cid },
  );
  const { type, id } = s.channel;
  return { event: { ...event, cid, channel_type: type, channel_id: id } };
}

/** Unread from the latest reply on; nothing changes for who takes no part in the thread, as with reading it. */
export function markThreadUnread(
  call: RouteCall,
  s: Permissions,
  me: UserRow,
  parent: MessageRow,
): Reply<"markUnread"> {
  const row = own(call, parent.id, me.id);
  if (!row) return {};
  const last = lastReply(call, parent.id);
  if (!last) throw invalidField("thread_id", "names a thread without replies");
  const before = call.db.get<{ id: string }>(
    "SELECT id FROM messages WHERE parent_id = ? AND created_at < ? ORDER BY created_at DESC, id DESC LIMIT 1",
    parent.id,
    last.created_at,
  );
  const unread = Math.max(1, row.unread);
  call.db.run(
    "UPDATE threads SET unread = ?, last_read = ?, last_read_id = ? WHERE parent_id = ? AND user_id = ?",
    unread,
    last.created_at - 1,
    before?.id ?? null,
    parent.id,
    me.id,
  );
  const people = new People(call.db, call.emit);
  people.add(me);
  call.emit.user(
    me.id,
    {
      type: "notification.mark_unread",
      user: people.get(me.id),
      channel: channelView(people, s.channel),
      thread_id: parent.id,
      first_unread_message_id: last.id,
      ...(before ? { last_read_message_id: before.id } : {}),
      last_read_at: timeFromMicros(last.created_at - 1),
      unread_messages: unread,
      ...threadCounters(call, me.id),
    },
    { cid: s.channel.cid },
  );
  return {};
}
