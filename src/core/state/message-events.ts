/** What events on messages, reactions, reads and polls do to the state (R-MSG, R-READ, specification/events.md §6). */
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { AnyEvent, WireEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { deletedForm, holdMessage, holdPoll, isMessage } from "../../model/held-message.ts";
import {
  applyHeldEvents,
  destroy,
  find,
  inChannel,
  insertHeldMessage,
  endHeldLocation,
  attachMessage,
  isBehind,
  isGone,
  holdEvent,
  detach,
  replace,
  rewriteAll,
  setConfirmed,
  mergeVersion,
  recordVersion,
  versionOf,
} from "./messages.ts";
import type { HeldMessage } from "../../model/state.ts";
import { mergePoll, ownReactionsAmong, withOwn } from "./reactions.ts";
import { plainEvent, type Table } from "./table.ts";
import { showAgain } from "./channel-events.ts";
import { trailAfter } from "./trails.ts";
import { stopTyping } from "./typing.ts";
import {
  countUnread,
  delivered,
  markedUnread,
  applyReadOfOther,
  readUpTo,
  recountUnread,
  uncount,
} from "./unread.ts";
import type { StateDraft } from "./state-draft.ts";
import { noteTold } from "./told.ts";

type NewMessage = WireEvent<"message.new" | "notification.message_new">;

function messageNew(draft: StateDraft, event: NewMessage): void {
  const cid = event.cid!;
  const { message } = event;
  if (!isMessage(message)) return;
  const entry = draft.entry(cid)!;
  // The channel was active also when the message has been deleted since.
  const skips = message.type === "system" && entry.channel.config?.skip_last_msg_update_for_system_msgs;
  if (inChannel(message) && !skips && compareTimes(message.created_at, entry.channel.last_message_at) > 0)
    entry.channel = { ...entry.channel, last_message_at: message.created_at };
  if (isGone(draft, cid, message)) return;
  if (isFromBefore(draft, event)) return draft.requestRefetch({ kind: "channel", cid });
  const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
  if (isBehind(draft, cid, message)) detach(draft, cid, message.id);
  else attachMessage(draft, cid, message.id);
  insertHeldMessage(draft, cid, view);
  applyHeldEvents(draft, cid, new Set([message.id]));
  countUnread(draft, cid, message);
  if (message.user) stopTyping(draft, cid, message.user.id, message.parent_id);
  liveLocation(draft, cid, view);
  if (inChannel(message)) showAgain(draft, cid, message);
}

/**
 * Who watches is told by `message.new`: a notification is from before the watch, and the answer that began it would hold
 * the message if it still existed. Or nobody watches after all; asking once more settles both (D6, D7).
 */
function isFromBefore(draft: StateDraft, { type, cid, message }: NewMessage): boolean {
  const entry = draft.peek(cid!);
  if (type !== "notification.message_new" || !entry?.watched || entry.stale) return false;
  const shown = inChannel(message) || entry.threads.has(message.parent_id!);
  return shown && find(draft, cid!, message.id) === undefined;
}

/** A reply in a thread of mine, of a channel that is not watched: it stands where the thread is held (specification/events.md §6). */
function threadMessageNew(draft: StateDraft, event: WireEvent<"notification.thread_message_new">): void {
  const { cid, message } = event;
  if (!cid || !isMessage(message) || isGone(draft, cid, message)) return;
  const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
  if (isBehind(draft, cid, message)) detach(draft, cid, message.id);
  insertHeldMessage(draft, cid, view);
  applyHeldEvents(draft, cid, new Set([message.id]));
}

/** A live location stands once per message; `message.updated` moves it, older ones are ignored (specification/locations.md §7). */
function liveLocation(draft: StateDraft, cid: string, message: HeldMessage): void {
  const location = message.shared_location;
  const entry = draft.peek(cid);
  if (!entry || !location?.end_at) return;
  const held = entry.liveLocations.find((each) => each.message_id === message.id);
  if (held && compareTimes(location.updated_at, held.updated_at) < 0) return;
  const rest = entry.liveLocations.filter((each) => each !== held);
  const live = compareTimes(location.end_at, new Date(draft.context.now).toISOString()) > 0;
  if (!held && !live) return;
  noteTold(draft, cid, `location ${message.id}`);
  const trail = message.trail ?? (held && trailAfter(held.trail, held, location));
  draft.entry(cid)!.liveLocations =
    live && message.type !== "deleted"
      ? [...rest, { ...location, message_id: message.id, channel_cid: cid, ...(trail && { trail }) }]
      : rest;
}

function messageChanged(draft: StateDraft, event: WireEvent<"message.updated" | "message.undeleted">): void {
  const cid = event.cid!;
  const { message } = event;
  if (!isMessage(message) || isGone(draft, cid, message)) return;
  const held = find(draft, cid, message.id);
  if (event.type === "message.undeleted") recountUnread(draft, cid, message);
  if (!held) {
    holdEvent(draft, cid, message, plainEvent(event));
    const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
    replace(draft, cid, view);
    // The message may lie above what is held, while its location is among the live ones of the channel.
    if (draft.peek(cid)!.liveLocations.some((each) => each.message_id === message.id))
      liveLocation(draft, cid, view);
    return;
  }
  const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
  replace(draft, cid, view);
  liveLocation(draft, cid, view);
}

function messageDeleted(draft: StateDraft, event: WireEvent<"message.deleted">): void {
  const cid = event.cid!;
  const { message } = event;
  if (!isMessage(message)) return;
  const held = find(draft, cid, message.id);
  uncount(draft, cid, held ?? message);
  if (event.hard_delete) return destroy(draft, cid, message.id);
  // For one user only: the others still see it, and so does who shares it (LE-3).
  if (!event.deleted_for_me) endHeldLocation(draft, cid, message.id);
  if (isGone(draft, cid, message)) return;
  if (!held) holdEvent(draft, cid, message, plainEvent(event));
  if (event.deleted_for_me) {
    if (!held) return;
    replace(draft, cid, {
      ...deletedForm(held, message.deleted_at ?? event.created_at, false),
      deleted_for_me: true,
    });
    return;
  }
  const deleted: Message = {
    ...message,
    type: "deleted",
    deleted_at: message.deleted_at ?? event.created_at,
  };
  replace(draft, cid, mergeVersion(draft, cid, deleted, { event: plainEvent(event) }));
}

type ReactionEvent = WireEvent<"reaction.new" | "reaction.updated" | "reaction.deleted">;

function reaction(draft: StateDraft, event: ReactionEvent): void {
  const cid = event.cid!;
  const { message, reaction: one } = event;
  if (!isMessage(message) || !one?.type) return;
  const pending = draft.peekMeta(cid).pending.get(message.id);
  const held = pending?.base ?? find(draft, cid, message.id);
  if (!held) return holdEvent(draft, cid, message, plainEvent(event));
  const moment = normalTime(event.created_at) ?? "";
  const applied = versionOf(draft, cid, message.id);
  const newest = moment >= applied.reactions;
  let next = held;
  if (newest) {
    const { reaction_groups, latest_reactions } = holdMessage(message, draft.intern);
    next = { ...next, reaction_groups, latest_reactions };
  }
  const mine = (one.user_id ?? one.user?.id) === draft.context.me;
  const own = { ...applied.own };
  const ownRevisions = { ...applied.ownRevisions };
  if (mine && moment >= (own[one.type] ?? "")) {
    own[one.type] = moment;
    ownRevisions[one.type] = draft.revision;
    const rest = next.own_reactions.filter((each) => each.type !== one.type);
    next = {
      ...next,
      own_reactions: event.type === "reaction.deleted" ? rest : withOwn(next.own_reactions, one),
    };
  }
  if (newest || mine)
    next = { ...next, own_reactions: ownReactionsAmong(next, next.own_reactions, draft.context.me) };
  recordVersion(draft, cid, message.id, {
    reactions: newest ? moment : applied.reactions,
    own,
    ownRevisions,
  });
  setConfirmed(draft, cid, next);
}

function read(draft: StateDraft, event: WireEvent<"message.read">): void {
  const { cid, user } = event;
  if (!cid || !user?.id || event.thread) return;
  if (user.id === draft.context.me) return readUpTo(draft, cid, event.created_at, event.last_read_message_id);
  applyReadOfOther(draft, cid, {
    user: draft.user(user),
    last_read: event.created_at,
    unread_messages: 0,
    ...(event.last_read_message_id !== undefined && { last_read_message_id: event.last_read_message_id }),
  });
}

function markRead(draft: StateDraft, event: WireEvent<"notification.mark_read">): void {
  if (event.thread_id) return;
  for (const cid of event.cid ? [event.cid] : draft.cids)
    readUpTo(
      draft,
      cid,
      event.last_read_at ?? event.created_at,
      event.cid ? event.last_read_message_id : undefined,
      event.created_at,
    );
}

function userMessagesDeleted(
  draft: StateDraft,
  userId: string,
  at: string,
  hard: boolean,
  cids: readonly string[],
): void {
  for (const cid of cids) {
    const counted: HeldMessage[] = [];
    rewriteAll(draft, cid, (message) => {
      if (message.user.id !== userId || (message.type === "deleted" && !hard)) return message;
      if (message.type !== "deleted") counted.push(message);
      else if (message.text === "" && message.latest_reactions.length === 0) return message;
      return deletedForm(message, at, hard);
    });
    for (const message of counted) {
      uncount(draft, cid, message);
      endHeldLocation(draft, cid, message.id);
    }
  }
}

/** R-MSG-12; also for `user.deleted` with `mark_messages_deleted` or `hard_delete`. */
export function deleteHeldMessagesOf(draft: StateDraft, event: AnyEvent, hard: boolean): void {
  if (!event.user?.id) return;
  const cids = event.cid ? [event.cid].filter((cid) => draft.has(cid)) : draft.cids;
  userMessagesDeleted(draft, event.user.id, event.created_at, hard, cids);
}

type PollEvent = WireEvent<Extract<WireEvent["type"], `poll.${string}`>>;

const VOTE = {
  "poll.vote_casted": "casted",
  "poll.vote_changed": "changed",
  "poll.vote_removed": "removed",
} as const;

function poll(draft: StateDraft, event: PollEvent): void {
  const cid = event.cid!;
  if (!event.poll?.id) return;
  // The event names one message of the channel; the poll may stand under several (V-11).
  const holders = holdersOf(draft, cid, event.poll.id);
  const named = event.message?.id ?? event.message_id;
  if (isMessage(event.message) && !holders.some(({ id }) => id === named) && !find(draft, cid, named!))
    holdEvent(draft, cid, event.message, plainEvent(event));
  for (const held of holders) pollOf(draft, cid, held, event);
}

function pollOf(draft: StateDraft, cid: string, shown: HeldMessage, event: PollEvent): void {
  const held = draft.peekMeta(cid).pending.get(shown.id)?.base ?? shown;
  // A deleted poll does not come back (V-10).
  if (held.poll === null) return;
  if (event.type === "poll.deleted") return setConfirmed(draft, cid, { ...held, poll: null });
  const vote =
    "poll_vote" in event && event.poll_vote && event.type in VOTE
      ? {
          type: VOTE[event.type as keyof typeof VOTE],
          vote: event.poll_vote,
          mine: (event.poll_vote.user_id ?? event.poll_vote.user?.id) === draft.context.me,
        }
      : undefined;
  const applied = versionOf(draft, cid, held.id);
  const moment = normalTime(event.created_at) ?? "";
  const before = applied.own[`poll ${event.poll.id}`] ?? "";
  const stale = moment < (before > applied.body ? before : applied.body);
  const next: Poll = stale && held.poll ? held.poll : holdPoll(event.poll);
  recordVersion(draft, cid, held.id, {
    own: stale ? applied.own : { ...applied.own, [`poll ${event.poll.id}`]: moment },
  });
  setConfirmed(draft, cid, { ...held, poll: mergePoll(held.poll, next, vote) });
}

/** The answer of an own vote; events of anonymous polls name nobody, so own votes come from here alone (specification/polls.md §5). */
export function pollAnswered(draft: StateDraft, poll: Poll, since: number | undefined): void {
  for (const cid of draft.cids)
    for (const shown of holdersOf(draft, cid, poll.id)) {
      const held = draft.peekMeta(cid).pending.get(shown.id)?.base ?? shown;
      if (held.poll === null) continue;
      const version = versionOf(draft, cid, held.id);
      const overtaken = since !== undefined && version.revision > since;
      recordVersion(draft, cid, held.id, {
        ownRevisions: { ...version.ownRevisions, [`poll ${poll.id}`]: draft.revision },
      });
      setConfirmed(draft, cid, {
        ...held,
        poll: overtaken && held.poll ? { ...held.poll, own_votes: poll.own_votes } : poll,
      });
    }
}

/** Every held message with this poll, each once. */
function holdersOf(draft: StateDraft, cid: string, pollId: string): HeldMessage[] {
  const found = new Map<string, HeldMessage>();
  const look = (message: HeldMessage): void => {
    if (message.poll_id === pollId || message.poll?.id === pollId) found.set(message.id, message);
  };
  for (const sets of draft.places(cid)) for (const set of sets) for (const message of set.edit) look(message);
  for (const message of draft.peek(cid)!.pinned) look(message);
  return [...found.values()];
}

export const MESSAGE_EVENTS: Table = {
  "message.new": messageNew,
  "notification.message_new": messageNew,
  "message.updated": messageChanged,
  "message.undeleted": messageChanged,
  "message.deleted": messageDeleted,
  "message.read": read,
  "message.delivered": (draft, event) => {
    if (event.cid && event.user)
      delivered(draft, event.cid, event.user.id, event.last_delivered_at, event.last_delivered_message_id);
  },
  "notification.mark_read": markRead,
  "notification.mark_unread": (draft, event) => {
    if (event.cid && !event.thread_id) markedUnread(draft, event.cid, event);
  },
  "notification.thread_message_new": threadMessageNew,
  "reaction.new": reaction,
  "reaction.updated": reaction,
  "reaction.deleted": reaction,
  "user.messages.deleted": (draft, event) =>
    deleteHeldMessagesOf(draft, plainEvent(event), event.hard_delete === true),
  "poll.updated": poll,
  "poll.closed": poll,
  "poll.deleted": poll,
  "poll.vote_casted": poll,
  "poll.vote_changed": poll,
  "poll.vote_removed": poll,
};
