/** Applies events to the cache and other copies of messages; simpler than the state's reducers, because the provider corrects them with the next answer. */
import { compareTimes } from "../wire/time.ts";
import type { ChannelState, Read } from "../wire/entities/channel.ts";
import type { AnyEvent } from "../wire/events.ts";
import { emptiedMessage, NOTHING_GONE, withoutGone, type Gone } from "../wire/gone.ts";
import { deletesMessagesOfUser } from "./client-message.ts";
import { CHANNEL_ENDS, removedMemberId } from "./membership.ts";
import type { Message, Reaction } from "../wire/entities/message.ts";
import type { Poll } from "../wire/entities/poll.ts";
import { mergePoll, voteChangeOf } from "./poll-votes.ts";

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
  /** Whether a quote or a pin of the channel may be of this message, or a message or pin of it may have this poll. */
  hasCopies(cid: string, id: string): boolean;
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

/** Changes a message, or the holders of a poll, in the channel's rows, quotes and pins (R-MSG-3). */
function changeCopies(rows: CacheRows, cid: string, id: string, change: (copy: Message) => Message): void {
  const changed = (message: Message): Message => {
    const next = change(message);
    const quoted = next.quoted_message && change(next.quoted_message);
    if (!quoted || quoted === next.quoted_message) return next;
    const { quoted_message: _, ...copy } = quoted;
    return { ...next, quoted_message: copy };
  };
  const put = (held: Message | undefined): void => {
    const next = held && changed(held);
    if (next && next !== held) rows.putMessage(next);
  };
  put(rows.message(id));
  if (!rows.hasCopies(cid, id)) return;
  for (const held of rows.messagesWith(JSON.stringify(id), cid)) if (held.id !== id) put(held);
  const state = rows.channel(cid);
  const pins = state?.pinned_messages?.map(changed);
  if (!state || !pins?.some((pin, at) => pin !== state.pinned_messages[at])) return;
  rows.putChannel({ ...state, pinned_messages: pins.filter(({ pinned }) => pinned) });
}

/** Replaces the copies of a message, keeping what events never contain (R-MSG-9). */
function replaceStored(rows: CacheRows, cid: string, message: Message): void {
  changeCopies(rows, cid, message.id, (held) => {
    if (held.id !== message.id || compareTimes(message.updated_at, held.updated_at) < 0) return held;
    const poll = message.poll && { ...message.poll, own_votes: held.poll?.own_votes ?? [] };
    const own_reactions = message.type === "deleted" ? [] : (held.own_reactions ?? []);
    return { ...message, own_reactions, ...(poll && { poll }) };
  });
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

/** Removes the messages up to this time, also where later ones quote them, and adds the message about it. */
function truncated(rows: CacheRows, cid: string, event: AnyEvent): void {
  const at = event.channel?.truncated_at ?? event.created_at;
  rows.removeUpTo(cid, at);
  forget(rows, cid, '"quoted_message"', {
    message: (_id, copy) => (compareTimes(String(copy?.created_at), at) <= 0 ? "erased" : undefined),
  });
  if (event.message) rows.putMessage(event.message as Message);
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

function applyReaction(rows: CacheRows, cid: string, event: AnyEvent): void {
  const message = event.message as Message | undefined;
  const reaction = event.reaction as Reaction | undefined;
  if (!message || !reaction) return;
  const { reaction_groups, latest_reactions } = message;
  const ownAfter = (held: readonly Reaction[] = []): Reaction[] => {
    const others = held.filter((each) => each.type !== reaction.type);
    return event.type === "reaction.deleted" ? others : [...others, reaction];
  };
  const isOwn = reaction.user_id === rows.me();
  changeCopies(rows, cid, message.id, (held) => {
    if (held.id !== message.id) return held;
    const own_reactions = isOwn ? ownAfter(held.own_reactions) : held.own_reactions;
    return { ...held, reaction_groups, latest_reactions, own_reactions };
  });
}

/** Several messages may contain the poll (V-11). */
function applyPoll(rows: CacheRows, cid: string, event: AnyEvent): void {
  const poll = event.poll as Poll | undefined;
  if (!poll?.id) return;
  const vote = voteChangeOf(event, rows.me());
  changeCopies(rows, cid, poll.id, (held) => {
    if (held.poll?.id !== poll.id || compareTimes(poll.updated_at, held.poll.updated_at) < 0) return held;
    return { ...held, poll: event.type === "poll.deleted" ? null : mergePoll(held.poll, poll, vote) };
  });
}

/** The read state of the current user and the newest others. */
const storedReads = (reads: readonly Read[], me: string | undefined): Read[] =>
  reads.filter(({ user }, at) => at >= reads.length - MAX_STORED_READS || user.id === me);

function deleteMessage(rows: CacheRows, cid: string, message: Message, hard: boolean): void {
  if (hard) rows.removeMessage(message.id);
  else replaceStored(rows, cid, emptiedMessage(message));
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

function addNew(rows: CacheRows, cid: string, { message: raw }: AnyEvent): void {
  const message = raw as Message | undefined;
  if (!message || rows.message(message.id)) return;
  if (rows.isLive(cid)) rows.putMessage(message);
  else rows.keepEarly(message);
  if (!message.parent_id || message.show_in_channel) rows.recordActivity(cid, message.created_at);
}

function updateChannel(rows: CacheRows, cid: string, event: AnyEvent): void {
  const state = rows.channel(cid);
  if (!state || !event.channel) return;
  const { own_capabilities } = state.channel;
  state.channel = { ...state.channel, ...event.channel, ...(own_capabilities && { own_capabilities }) };
  rows.putChannel(state);
}

function userDeleted(rows: CacheRows, event: AnyEvent): void {
  const { user } = event;
  const deleted = user && { ...user, deleted_at: user.deleted_at ?? event.created_at };
  forgetUser(rows, { ...event, user: deleted }, event.hard_delete === true, deletesMessagesOfUser(event));
}

type Change = (rows: CacheRows, cid: string, event: AnyEvent) => void;

const withMessage =
  (change: (rows: CacheRows, cid: string, message: Message, event: AnyEvent) => void): Change =>
  (rows, cid, event) =>
    event.message && change(rows, cid, event.message as Message, event);

const removeChannel: Change = (rows, cid) => rows.removeChannel(cid);

/** Of events about one channel; other events do not change the cache. */
const CHANNEL_CHANGES: Readonly<Record<string, Change>> = {
  "message.new": addNew,
  "notification.message_new": addNew,
  "message.updated": withMessage(replaceStored),
  "message.undeleted": withMessage(replaceStored),
  "message.deleted": withMessage((rows, cid, message, event) =>
    deleteMessage(rows, cid, message, event.hard_delete === true),
  ),
  "reaction.new": applyReaction,
  "reaction.updated": applyReaction,
  "reaction.deleted": applyReaction,
  "poll.updated": applyPoll,
  "poll.closed": applyPoll,
  "poll.deleted": applyPoll,
  "poll.vote_casted": applyPoll,
  "poll.vote_changed": applyPoll,
  "poll.vote_removed": applyPoll,
  "channel.truncated": truncated,
  "notification.channel_truncated": truncated,
  "channel.updated": updateChannel,
  "message.read": applyRead,
  // Who left a channel that they watch is told in no other way.
  "member.removed": (rows, cid, event) =>
    removedMemberId(event as Parameters<typeof removedMemberId>[0]) === rows.me() && rows.removeChannel(cid),
  ...Object.fromEntries([...CHANNEL_ENDS].map((type) => [type, removeChannel])),
};

/** Of events about a user in one channel or in all. */
const USER_CHANGES: Readonly<Record<string, (rows: CacheRows, event: AnyEvent) => void>> = {
  "user.messages.deleted": (rows, event) => forgetUser(rows, event, event.hard_delete === true, true),
  "user.deleted": userDeleted,
};

export const CACHED_EVENTS: ReadonlySet<string> = new Set(
  [CHANNEL_CHANGES, USER_CHANGES].flatMap((each) => Object.keys(each)),
);

/** Applies one event; unknown events and channels that are not cached change nothing. */
export function applyToCache(rows: CacheRows, event: AnyEvent): void {
  USER_CHANGES[event.type]?.(rows, event);
  if (event.cid) CHANNEL_CHANGES[event.type]?.(rows, event.cid, event);
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
    hasCopies: () => true,
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
