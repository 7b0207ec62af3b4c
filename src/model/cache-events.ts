/** Applies events to the cache and other copies of messages; simpler than the state's reducers, because the provider corrects them with the next answer. */
import { compareTimes } from "../wire/time.ts";
import type { ChannelState, Read } from "../wire/entities/channel.ts";
import type { AnyEvent } from "../wire/events.ts";
import { emptiedMessage, NOTHING_GONE, withoutGone, type Gone } from "../wire/gone.ts";
import { CHANNEL_ENDS, removedMemberId } from "./membership.ts";
import type { Message, Reaction } from "../wire/entities/message.ts";

/** Read states stored per channel; an answer contains no more members either. */
const MAX_STORED_READS = 100;

/** The rows of the cache, each call within a running transaction. */
export interface CacheRows {
  me(): string | undefined;
  /** Whether new messages follow the stored ones without a gap (D6). */
  isLive(cid: string): boolean;
  /** Keeps a message of a channel that is not live yet: it may have arrived before the channel's page. */
  keepEarly(message: Message): void;
  putMessage(message: Message): void;
  message(id: string): Message | undefined;
  removeMessage(id: string): void;
  removeUpTo(cid: string, at: string): void;
  /** Stored messages of a channel whose JSON contains this text. */
  messagesWith(text: string, cid: string): Message[];
  /** The stored channels. */
  cids(): string[];
  channel(cid: string): ChannelState | undefined;
  putChannel(state: ChannelState): void;
  /** The channel was active at this time; written once at the end of the transaction. */
  recordActivity(cid: string, at: string): void;
  removeChannel(cid: string): void;
}

/** Replaces a stored message, keeping what events never contain (R-MSG-9). */
function replaceStored(rows: CacheRows, message: Message): void {
  const held = rows.message(message.id);
  if (!held || compareTimes(message.updated_at, held.updated_at) < 0) return;
  const poll = message.poll && { ...message.poll, own_votes: held.poll?.own_votes ?? [] };
  const own_reactions = message.type === "deleted" ? [] : (held.own_reactions ?? []);
  rows.putMessage({ ...message, own_reactions, ...(poll && { poll }) });
}

/** Removes what is gone from the channel's messages and its pins, quotes included. `text`: what their JSON contains. */
function forget(rows: CacheRows, cid: string, text: string, gone: Partial<Gone>): void {
  const all = { ...NOTHING_GONE, ...gone };
  const stateOf = (message: Message): ReturnType<Gone["message"]> => all.message(message.id, { ...message });
  for (const held of rows.messagesWith(text, cid)) {
    if (stateOf(held) === "erased") rows.removeMessage(held.id);
    else if (held.type !== "deleted") {
      const left = withoutGone(held, all);
      if (left !== held) rows.putMessage(left);
    }
  }
  const state = rows.channel(cid);
  if (!state) return;
  const pinned = state.pinned_messages?.filter((each) => stateOf(each) === undefined);
  const isSame = pinned?.length === state.pinned_messages?.length;
  const left = withoutGone(isSame ? state : { ...state, pinned_messages: pinned! }, all);
  if (left !== state) rows.putChannel(left);
}

/** Removes the messages up to this time, also where later ones quote them. */
function truncate(rows: CacheRows, cid: string, at: string): void {
  rows.removeUpTo(cid, at);
  forget(rows, cid, '"quoted_message"', {
    message: (_id, copy) => (compareTimes(String(copy?.created_at), at) <= 0 ? "erased" : undefined),
  });
}

/** R-MSG-12: the messages of a user in the event's channel or in all; the name, too, when the account is erased or emptied. */
function forgetUser(rows: CacheRows, event: AnyEvent, hard: boolean, messages: boolean): void {
  const { user } = event;
  if (!user) return;
  const isOwn = (copy?: Readonly<Record<string, unknown>>): boolean =>
    messages && (copy?.user as { id?: unknown } | undefined)?.id === user.id;
  const gone: Partial<Gone> = {
    message: (_id, copy) => (isOwn(copy) ? (hard ? "erased" : "deleted") : undefined),
    user: (id) => id === user.id && user.deleted_at !== undefined && (hard || user.name === undefined),
  };
  for (const cid of event.cid === undefined ? rows.cids() : [event.cid])
    forget(rows, cid, JSON.stringify(user.id), gone);
}

function applyReaction(rows: CacheRows, event: AnyEvent): void {
  const message = event.message as Message | undefined;
  const reaction = event.reaction as Reaction | undefined;
  const held = message && rows.message(message.id);
  if (!held || !reaction) return;
  const own = (held.own_reactions ?? []).filter((each) => each.type !== reaction.type);
  const isOwn = reaction.user_id === rows.me();
  const own_reactions = !isOwn
    ? held.own_reactions
    : event.type === "reaction.deleted"
      ? own
      : [...own, reaction];
  const { reaction_groups, latest_reactions } = message;
  rows.putMessage({ ...held, reaction_groups, latest_reactions, own_reactions });
}

/** Other events do not change the cache. */
export const CACHED_EVENTS: ReadonlySet<string> = new Set([
  "message.new",
  "notification.message_new",
  "message.updated",
  "message.undeleted",
  "message.deleted",
  "reaction.new",
  "reaction.updated",
  "reaction.deleted",
  "user.messages.deleted",
  "user.deleted",
  "channel.truncated",
  "notification.channel_truncated",
  "channel.updated",
  "message.read",
  "member.removed",
  ...CHANNEL_ENDS,
]);

/** The read state of the current user and the newest others. */
const storedReads = (reads: readonly Read[], me: string | undefined): Read[] =>
  reads.filter(({ user }, at) => at >= reads.length - MAX_STORED_READS || user.id === me);

function deleteMessage(rows: CacheRows, cid: string, message: Message, hard: boolean): void {
  if (hard) rows.removeMessage(message.id);
  else replaceStored(rows, emptiedMessage(message));
  forget(rows, cid, JSON.stringify(message.id), {
    message: (id, copy) => {
      // Its replies go with it.
      if (hard) return id === message.id || copy?.parent_id === message.id ? "erased" : undefined;
      return id === message.id ? "deleted" : undefined;
    },
  });
}

function applyRead(rows: CacheRows, cid: string, event: AnyEvent): void {
  const state = rows.channel(cid);
  const { user } = event;
  if (!state || !user || event.thread) return;
  const held = state.read.find((read) => read.user.id === user.id);
  if (held && compareTimes(event.created_at, held.last_read) < 0) return;
  const last = event.last_read_message_id as string | undefined;
  const read = { ...held, user, last_read: event.created_at, unread_messages: 0 };
  const others = state.read.filter((each) => each !== held);
  const newest = last === undefined ? read : { ...read, last_read_message_id: last };
  state.read = storedReads([...others, newest], rows.me());
  return rows.putChannel(state);
}

/** Applies one event; unknown events and channels that are not cached change nothing. */
export function applyToCache(rows: CacheRows, event: AnyEvent): void {
  const { cid } = event;
  const message = event.message as Message | undefined;
  if (event.type === "user.messages.deleted")
    return forgetUser(rows, event, event.hard_delete === true, true);
  if (event.type === "user.deleted")
    return forgetUser(
      rows,
      {
        ...event,
        user: event.user && { ...event.user, deleted_at: event.user.deleted_at ?? event.created_at },
      },
      event.hard_delete === true,
      event.hard_delete === true || event.mark_messages_deleted === true,
    );
  if (!cid) return;
  switch (event.type) {
    case "message.new":
    case "notification.message_new": {
      if (!message || rows.message(message.id)) return;
      if (rows.isLive(cid)) rows.putMessage(message);
      else rows.keepEarly(message);
      if (!message.parent_id || message.show_in_channel) rows.recordActivity(cid, message.created_at);
      return;
    }
    case "message.updated":
    case "message.undeleted":
      return message && replaceStored(rows, message);
    case "message.deleted":
      if (!message) return;
      return deleteMessage(rows, cid, message, event.hard_delete === true);
    case "reaction.new":
    case "reaction.updated":
    case "reaction.deleted":
      return applyReaction(rows, event);
    case "channel.truncated":
    case "notification.channel_truncated":
      truncate(rows, cid, event.channel?.truncated_at ?? event.created_at);
      return message && rows.putMessage(message);
    case "channel.updated": {
      const state = rows.channel(cid);
      if (!state || !event.channel) return;
      const { own_capabilities } = state.channel;
      state.channel = { ...state.channel, ...event.channel, ...(own_capabilities && { own_capabilities }) };
      return rows.putChannel(state);
    }
    case "message.read":
      return applyRead(rows, cid, event);
    case "member.removed":
      // Who left a channel that they watch is told in no other way.
      return removedMemberId(event as Parameters<typeof removedMemberId>[0]) === rows.me()
        ? rows.removeChannel(cid)
        : undefined;
    case "channel.deleted":
    case "notification.channel_deleted":
    case "notification.removed_from_channel":
      return rows.removeChannel(cid);
    default:
  }
}

/** The messages of an answer after an event: the present versions, without what is gone; the same array if it says nothing of them. */
export function copiesAfter<M extends Message>(
  messages: readonly M[],
  event: AnyEvent,
  me: string | undefined,
): readonly M[] {
  if (messages.length === 0 || !CACHED_EVENTS.has(event.type)) return messages;
  const left = new Map<string, Message>(messages.map((message) => [message.id, message]));
  let changed = false;
  const removeWhere = (goes: (message: Message) => boolean): void => {
    for (const message of left.values()) if (goes(message)) changed = left.delete(message.id);
  };
  const rows: CacheRows = {
    me: () => me,
    isLive: () => true,
    keepEarly() {},
    putMessage(message) {
      if (left.has(message.id)) changed = Boolean(left.set(message.id, message));
    },
    message: (id) => left.get(id),
    removeMessage: (id) => removeWhere((message) => message.id === id),
    removeUpTo: (cid, at) =>
      removeWhere((message) => message.cid === cid && compareTimes(message.created_at, at) <= 0),
    messagesWith: (_, cid) => [...left.values()].filter((message) => message.cid === cid),
    cids: () => [...new Set(Array.from(left.values(), ({ cid }) => cid))],
    channel: () => undefined,
    putChannel() {},
    recordActivity() {},
    removeChannel: (cid) => removeWhere((message) => message.cid === cid),
  };
  applyToCache(rows, event);
  return changed ? ([...left.values()] as M[]) : messages;
}
