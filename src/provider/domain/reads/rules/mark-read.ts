/** Marks channels read and unread (specification/channels.md §9). */
import type { AnyEvent } from "../../../../wire/events.ts";
import type { Database } from "../../../base/database.ts";
import { channelBodies } from "../../../../wire/bodies/channels.ts";
import { UNREAD_WINDOW } from "../../../../wire/constants.ts";
import { CID_FORM, splitCid } from "../../../../wire/ids.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { channelView } from "../../channels/view/channels.ts";
import { channelRow, findChannel, memberRow, type ChannelRow, readRow } from "../../channels/storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { findMessage, isVisible, type MessageRow } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import {
  requireReadChannel,
  requireFeature,
  callerPermissions,
  type Permissions,
} from "../../access/view/policy.ts";
import { markThreadRead, markThreadUnread } from "./mark-thread-read.ts";
import { People, privacyOf } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { findTombstone } from "../../messages/storage/tombstones.ts";
import { recount, unreadCounters, firstUnread } from "../storage/unread.ts";
import { setRead, unreadCids } from "../storage/reads.ts";
import { newestListed, newestTimes } from "../../messages/storage/newest.ts";

function requireMember(call: RouteCall, me: UserRow, cid: string): Permissions & { userId: string } {
  const permissions = callerPermissions(call, channelRow(call.db, cid));
  const row = memberRow(call.db, cid, me.id);
  requireReadChannel(permissions);
  if (!row)
    throw ApiProblem.notAllowed(`You are not a member of channel ${cid}: only members have a read state`);
  return { ...permissions, userId: me.id, member: row };
}

/** Read marks of a channel need its `read_events`; read marks of threads do not, because replies are counted without it. */
function requireCounting(permissions: Permissions): void {
  requireFeature(permissions, "read_events", "read events");
}

/** A message of the channel that the reader may see; code 4 otherwise. */
export function messageOf(call: RouteCall, permissions: Permissions, id: string, field: string): MessageRow {
  const row = findMessage(call.db, id);
  if (!row || row.cid !== permissions.channel.cid || !isVisible(visibilityOf(permissions), row))
    throw invalidField(
      field,
      `names a message that is not in channel ${permissions.channel.cid}: ${id}`,
      `There is no message ${id} in ${permissions.channel.cid}`,
    );
  return row;
}

interface ReadPosition {
  id?: string | undefined;
  created_at: number;
}

/** The position of the message the reader names. An erased message still counts with its former time (D8). */
function positionOf(call: RouteCall, permissions: Permissions, id: string, field: string): ReadPosition {
  const { cid } = permissions.channel;
  const tombstone = findTombstone(call.db, id);
  if (tombstone?.cid !== cid) return messageOf(call, permissions, id, field);
  return { id: newestListed(call.db, cid, tombstone.created_at)?.id, created_at: tombstone.created_at };
}

/** Writes the read state and emits `message.read`, only to the user when read receipts are off. Returns the event. */
function storeRead(
  call: RouteCall,
  me: UserRow,
  channel: ChannelRow,
  upTo: ReadPosition | undefined,
  people: People,
  now: number,
): AnyEvent {
  const { db, emit } = call;
  const { cid } = channel;
  const stored = readRow(db, cid, me.id);
  // Only marking unread moves the read state back (D8); an outdated read mark changes nothing.
  const outdated = upTo !== undefined && stored !== undefined && stored.last_read >= upTo.created_at;
  const last = outdated
    ? stored.last_read_id === null
      ? undefined
      : { id: stored.last_read_id }
    : (upTo ?? newestListed(db, cid));
  const lastRead = outdated
    ? stored.last_read
    : upTo
      ? upTo.created_at
      : Math.max(now, newestListed(db, cid)?.created_at ?? 0);
  const unread = upTo ? recount(db, cid, me.id, lastRead) : 0;
  setRead(db, { cid, user_id: me.id, unread, last_read: lastRead, last_read_id: last?.id ?? null });
  const event = {
    type: "message.read" as const,
    // Clients use the event's time as `last_read`, so both ends must have the same time (specification/events.md §6, D8).
    created_at: timeFromMicros(lastRead),
    user: people.get(me.id),
    ...(last?.id === undefined ? {} : { last_read_message_id: last.id }),
    ...(channel.last_message_at === null
      ? {}
      : { channel_last_message_at: timeFromMicros(channel.last_message_at) }),
  };
  const silent = !privacyOf(me).read_receipts.enabled;
  emit.watchers(cid, event, silent ? new Set([me.id]) : undefined);
  return {
    ...event,
    cid,
    channel_id: channel.id,
    channel_type: channel.type,
  };
}

export function markRead(call: RouteCall): Reply<"markRead"> {
  const me = actor(call);
  const permissions = requireMember(call, me, cidOfPath(call.path));
  const check = new BodyReader(call.body);
  const { message_id: messageId, thread_id: threadId } = check.read(channelBodies.markRead);
  if (messageId !== undefined && threadId !== undefined)
    check.fail("thread_id", "cannot be given together with message_id");
  check.done();
  if (threadId !== undefined)
    return markThreadRead(call, permissions, me, messageOf(call, permissions, threadId, "thread_id"));
  requireCounting(permissions);
  const people = new People(call.db, call.emit);
  people.add(me);
  const upTo = messageId === undefined ? undefined : positionOf(call, permissions, messageId, "message_id");
  const event = storeRead(call, me, permissions.channel, upTo, people, call.now());
  publishMarkRead(call, people, me, permissions.channel, event);
  return { event };
}

/** Notifies the reader's own connections about one channel; an event without `cid` would mean all channels (specification/wire.md §13.14). */
function publishMarkRead(
  call: RouteCall,
  people: People,
  me: UserRow,
  channel: ChannelRow,
  event: AnyEvent,
): void {
  call.emit.user(
    me.id,
    {
      type: "notification.mark_read",
      // The counters are current, but the read state may be of an older message.
      last_read_at: event.created_at,
      user: people.get(me.id),
      channel: channelView(people, channel),
      ...(event.last_read_message_id === undefined
        ? {}
        : { last_read_message_id: event.last_read_message_id }),
      ...unreadCounters(call.db, me.id),
    },
    { cid: channel.cid },
  );
}

/** Marks many or all channels read: one `notification.mark_read` per named channel, or one without `cid` for all. */
export function markChannelsRead(call: RouteCall): Reply<"markChannelsRead"> {
  const me = actor(call);
  const check = new BodyReader(call.body);
  const readByChannel = check.object("read_by_channel") ?? {};
  const requested = Object.entries(readByChannel);
  if (requested.length > 100) check.fail("read_by_channel", "must hold at most 100 entries");
  for (const [cid, id] of requested)
    if (!splitCid(cid)) check.fail(`read_by_channel.${cid}`, CID_FORM);
    else if (id !== null && typeof id !== "string")
      check.fail(`read_by_channel.${cid}`, "must be a message id or empty");
  check.done();
  const { db, emit } = call;
  const people = new People(db, emit);
  people.add(me);
  let event: AnyEvent | undefined;
  const readChannels: [ChannelRow, AnyEvent][] = [];
  const now = call.now();
  if (requested.length > 0)
    for (const [cid, id] of requested) {
      const permissions = requireMember(call, me, cid);
      requireCounting(permissions);
      const upTo = id ? positionOf(call, permissions, id as string, `read_by_channel.${cid}`) : undefined;
      event = storeRead(call, me, permissions.channel, upTo, people, now);
      readChannels.push([permissions.channel, event]);
    }
  else
    for (const cid of unreadCids(db, me.id)) {
      const channel = findChannel(db, cid);
      if (channel) event = storeRead(call, me, channel, undefined, people, now);
    }
  if (requested.length === 0)
    emit.user(me.id, {
      type: "notification.mark_read",
      created_at: timeFromMicros(now),
      user: people.get(me.id),
      ...unreadCounters(db, me.id),
    });
  for (const [channel, readEvent] of readChannels) publishMarkRead(call, people, me, channel, readEvent);
  return event ? { event } : {};
}

/** Throws when `from` is older than the last hundred messages. */
function requireRecent(db: Database, cid: string, from: number, field: string): void {
  const window = newestTimes(db, cid, UNREAD_WINDOW);
  const oldest = window.at(-1);
  if (oldest === undefined || (window.length === UNREAD_WINDOW && from < oldest))
    throw invalidField(field, `is older than the last ${UNREAD_WINDOW} messages`);
}

/** Marks unread from a message, a time or a thread on; only within the last hundred messages. */
export function markUnread(call: RouteCall): Reply<"markUnread"> {
  const { db, emit } = call;
  const me = actor(call);
  const permissions = requireMember(call, me, cidOfPath(call.path));
  const { cid } = permissions.channel;
  const check = new BodyReader(call.body);
  const {
    message_id: messageId,
    message_timestamp: time,
    thread_id: threadId,
  } = check.read(channelBodies.markUnread);
  if ([messageId, time, threadId].filter((value) => value !== undefined).length !== 1)
    check.fail("message_id", "or message_timestamp or thread_id must be given, exactly one");
  check.done();
  if (threadId !== undefined)
    return markThreadUnread(call, permissions, me, messageOf(call, permissions, threadId, "thread_id"));
  requireCounting(permissions);
  const from =
    messageId === undefined ? time! : messageOf(call, permissions, messageId, "message_id").created_at;
  requireRecent(db, cid, from, messageId === undefined ? "message_timestamp" : "message_id");
  const lastRead = from - 1;
  const before = newestListed(db, cid, lastRead);
  const unread = recount(db, cid, me.id, lastRead);
  setRead(db, { cid, user_id: me.id, unread, last_read: lastRead, last_read_id: before?.id ?? null });
  const first = firstUnread(db, cid, me.id, lastRead);
  const people = new People(db, emit);
  people.add(me);
  emit.user(
    me.id,
    {
      type: "notification.mark_unread",
      user: people.get(me.id),
      channel: channelView(people, permissions.channel),
      first_unread_message_id: messageId ?? first,
      last_read_at: timeFromMicros(lastRead),
      ...(before ? { last_read_message_id: before.id } : {}),
      unread_messages: unread,
      ...unreadCounters(db, me.id),
    },
    { cid },
  );
  return {};
}
