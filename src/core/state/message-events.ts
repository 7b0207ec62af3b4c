/** Reducers for events on messages, reactions, reads and polls (R-MSG, R-READ, specification/events.md §6). */
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { AnyEvent, WireEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { deletedForm, holdMessage, holdPoll, isMessage } from "../../model/client-message.ts";
import {
  applyHeldEvents,
  hardDelete,
  findLoaded,
  inChannel,
  insertClientMessage,
  endHeldLocation,
  attachMessage,
  isBehind,
  isGone,
  holdEvent,
  markDetached,
  replaceMessage,
  rewriteAll,
  setConfirmed,
  mergeVersion,
  recordVersion,
  versionOf,
} from "./messages.ts";
import { emptiedMessage } from "../../wire/gone.ts";
import type { ClientMessage } from "../../model/state.ts";
import { mergePoll, voteChangeOf } from "../../model/poll-votes.ts";
import { ownReactionsAmong, addOwnReaction } from "./reactions.ts";
import { plainEvent, type ReducerTable } from "./reducer-table.ts";
import { unhideOnMessage } from "./channel-events.ts";
import { trailAfter } from "./trails.ts";
import { stopTyping } from "./typing.ts";
import {
  countUnread,
  applyDelivery,
  applyMarkUnread,
  applyReadOfOther,
  applyOwnRead,
  ownReadTime,
  recountUnread,
  uncountDeleted,
} from "./unread.ts";
import type { StateDraft } from "./state-draft.ts";
import { recordPartChange } from "./part-versions.ts";

type NewMessage = WireEvent<"message.new" | "notification.message_new">;

function messageNew(draft: StateDraft, event: NewMessage): void {
  const cid = event.cid!;
  const { message } = event;
  if (!isMessage(message)) return;
  const entry = draft.entry(cid)!;
  // Counts as activity even when the message has been deleted since.
  const skips = message.type === "system" && entry.channel.config?.skip_last_msg_update_for_system_msgs;
  if (inChannel(message) && !skips && compareTimes(message.created_at, entry.channel.last_message_at) > 0)
    entry.channel = { ...entry.channel, last_message_at: message.created_at };
  if (isGone(draft, cid, message)) return;
  if (isOutdatedNotification(draft, event)) return draft.requestRefetch({ kind: "channel", cid });
  const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
  if (isBehind(draft, cid, message)) markDetached(draft, cid, message.id);
  else attachMessage(draft, cid, message.id);
  insertClientMessage(draft, cid, view);
  applyHeldEvents(draft, cid, new Set([message.id]));
  countUnread(draft, cid, message);
  if (message.user) stopTyping(draft, cid, message.user.id, message.parent_id);
  updateLiveLocation(draft, cid, view);
  if (inChannel(message)) unhideOnMessage(draft, cid, message);
}

/**
 * Watchers get `message.new`, so a notification in a watched channel is from before the watch, whose answer would contain
 * the message if it still existed. Or the watch was lost; a refetch covers both (D6, D7).
 */
function isOutdatedNotification(draft: StateDraft, { type, cid, message }: NewMessage): boolean {
  const entry = draft.peek(cid!);
  if (type !== "notification.message_new" || !entry?.watched || entry.stale) return false;
  const shown = inChannel(message) || entry.threads.has(message.parent_id!);
  return shown && findLoaded(draft, cid!, message.id) === undefined;
}

/** A reply in a thread of the user in a channel that is not watched: added if the thread is loaded (specification/events.md §6). */
function threadMessageNew(draft: StateDraft, event: WireEvent<"notification.thread_message_new">): void {
  const { cid, message } = event;
  if (!cid || !isMessage(message) || isGone(draft, cid, message)) return;
  const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
  if (isBehind(draft, cid, message)) markDetached(draft, cid, message.id);
  insertClientMessage(draft, cid, view);
  applyHeldEvents(draft, cid, new Set([message.id]));
}

/** One live location per message; `message.updated` moves it, older versions are ignored (specification/locations.md §7). */
function updateLiveLocation(draft: StateDraft, cid: string, message: ClientMessage): void {
  const location = message.shared_location;
  const entry = draft.peek(cid);
  if (!entry || !location?.end_at) return;
  const held = entry.liveLocations.find((each) => each.message_id === message.id);
  if (held && compareTimes(location.updated_at, held.updated_at) < 0) return;
  const rest = entry.liveLocations.filter((each) => each !== held);
  const live = compareTimes(location.end_at, new Date(draft.context.now).toISOString()) > 0;
  if (!held && !live) return;
  recordPartChange(draft, cid, `location ${message.id}`);
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
  const held = findLoaded(draft, cid, message.id);
  if (event.type === "message.undeleted") recountUnread(draft, cid, message);
  if (!held) {
    holdEvent(draft, cid, message, plainEvent(event));
    const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
    replaceMessage(draft, cid, view);
    // The message may not be loaded although its live location is.
    if (draft.peek(cid)!.liveLocations.some((each) => each.message_id === message.id))
      updateLiveLocation(draft, cid, view);
    return;
  }
  const view = mergeVersion(draft, cid, message, { event: plainEvent(event) });
  replaceMessage(draft, cid, view);
  updateLiveLocation(draft, cid, view);
}

function messageDeleted(draft: StateDraft, event: WireEvent<"message.deleted">): void {
  const cid = event.cid!;
  const { message } = event;
  if (!isMessage(message)) return;
  const held = findLoaded(draft, cid, message.id);
  uncountDeleted(draft, cid, held ?? message);
  if (event.hard_delete) return hardDelete(draft, cid, message.id);
  // Deleted only for this user: the location goes on for everybody else (LE-3).
  if (!event.deleted_for_me) endHeldLocation(draft, cid, message.id);
  if (isGone(draft, cid, message)) return;
  if (!held) holdEvent(draft, cid, message, plainEvent(event));
  if (event.deleted_for_me) {
    if (!held) return;
    replaceMessage(draft, cid, {
      ...deletedForm(held, message.deleted_at ?? event.created_at),
      deleted_for_me: true,
    });
    return;
  }
  const deleted: Message = {
    ...emptiedMessage(message),
    deleted_at: message.deleted_at ?? event.created_at,
  };
  replaceMessage(draft, cid, mergeVersion(draft, cid, deleted, { event: plainEvent(event) }));
}

type ReactionEvent = WireEvent<"reaction.new" | "reaction.updated" | "reaction.deleted">;

function reactionChanged(draft: StateDraft, event: ReactionEvent): void {
  const cid = event.cid!;
  const { message, reaction: changedReaction } = event;
  if (!isMessage(message) || !changedReaction?.type) return;
  const pending = draft.peekMeta(cid).pending.get(message.id);
  const held = pending?.base ?? findLoaded(draft, cid, message.id);
  if (!held) return holdEvent(draft, cid, message, plainEvent(event));
  const moment = normalTime(event.created_at) ?? "";
  const applied = versionOf(draft, cid, message.id);
  const isNewest = moment >= applied.reactions;
  let next = held;
  if (isNewest) {
    const { reaction_groups, latest_reactions } = holdMessage(message, draft.intern);
    next = { ...next, reaction_groups, latest_reactions };
  }
  const isOwn = (changedReaction.user_id ?? changedReaction.user?.id) === draft.context.me;
  const own = { ...applied.own };
  const ownRevisions = { ...applied.ownRevisions };
  if (isOwn && moment >= (own[changedReaction.type] ?? "")) {
    own[changedReaction.type] = moment;
    ownRevisions[changedReaction.type] = draft.revision;
    const rest = next.own_reactions.filter((each) => each.type !== changedReaction.type);
    next = {
      ...next,
      own_reactions:
        event.type === "reaction.deleted" ? rest : addOwnReaction(next.own_reactions, changedReaction),
    };
  }
  if (isNewest || isOwn)
    next = { ...next, own_reactions: ownReactionsAmong(next, next.own_reactions, draft.context.me) };
  recordVersion(draft, cid, message.id, {
    reactions: isNewest ? moment : applied.reactions,
    own,
    ownRevisions,
  });
  setConfirmed(draft, cid, next);
}

function messageRead(draft: StateDraft, event: WireEvent<"message.read">): void {
  const { cid, user, created_at: at, last_read_message_id: last } = event;
  if (!cid || !user?.id || event.thread) return;
  if (user.id === draft.context.me)
    return applyOwnRead(draft, cid, ownReadTime(draft, cid, at, last), last, at);
  applyReadOfOther(draft, cid, {
    user: draft.user(user),
    last_read: at,
    unread_messages: 0,
    ...(last !== undefined && { last_read_message_id: last }),
  });
}

function markRead(draft: StateDraft, event: WireEvent<"notification.mark_read">): void {
  if (event.thread_id) return;
  const { created_at: at, last_read_at: readAt, last_read_message_id: named } = event;
  const last = event.cid ? named : undefined;
  for (const cid of event.cid ? [event.cid] : draft.cids)
    applyOwnRead(draft, cid, readAt ?? ownReadTime(draft, cid, at, last), last, at);
}

/** R-MSG-12; also for `user.deleted` with `mark_messages_deleted` or `hard_delete`. */
export function deleteHeldMessagesOf(draft: StateDraft, event: AnyEvent, hard: boolean): void {
  const userId = event.user?.id;
  if (!userId) return;
  for (const cid of event.cid ? [event.cid].filter((each) => draft.has(each)) : draft.cids) {
    const counted: ClientMessage[] = [];
    rewriteAll(draft, cid, (message) => {
      if (message.user.id !== userId || (message.type === "deleted" && !hard)) return message;
      if (message.type !== "deleted") counted.push(message);
      else if (message.text === "" && message.latest_reactions.length === 0) return message;
      return deletedForm(message, event.created_at);
    });
    for (const message of counted) {
      uncountDeleted(draft, cid, message);
      endHeldLocation(draft, cid, message.id);
    }
  }
}

type PollEvent = WireEvent<Extract<WireEvent["type"], `poll.${string}`>>;

function pollChanged(draft: StateDraft, event: PollEvent): void {
  const cid = event.cid!;
  if (!event.poll?.id) return;
  // The event names one message of the channel; several may contain the poll (V-11).
  const holders = holdersOf(draft, cid, event.poll.id);
  const namedId = event.message?.id ?? event.message_id;
  if (
    isMessage(event.message) &&
    !holders.some(({ id }) => id === namedId) &&
    !findLoaded(draft, cid, namedId!)
  )
    holdEvent(draft, cid, event.message, plainEvent(event));
  for (const held of holders) applyPollEvent(draft, cid, held, event);
}

function applyPollEvent(draft: StateDraft, cid: string, shown: ClientMessage, event: PollEvent): void {
  const held = draft.peekMeta(cid).pending.get(shown.id)?.base ?? shown;
  // A deleted poll does not come back (V-10).
  if (held.poll === null) return;
  if (event.type === "poll.deleted") return setConfirmed(draft, cid, { ...held, poll: null });
  const vote = voteChangeOf(plainEvent(event), draft.context.me);
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

/** Applies the answer to the user's vote: events of anonymous polls have no voters, so own votes come only from here (specification/polls.md §5). */
export function applyVoteAnswer(draft: StateDraft, poll: Poll, since: number | undefined): void {
  for (const cid of draft.cids)
    for (const shown of holdersOf(draft, cid, poll.id)) {
      const held = draft.peekMeta(cid).pending.get(shown.id)?.base ?? shown;
      if (held.poll === null) continue;
      const version = versionOf(draft, cid, held.id);
      const isOutdated = since !== undefined && version.revision > since;
      recordVersion(draft, cid, held.id, {
        ownRevisions: { ...version.ownRevisions, [`poll ${poll.id}`]: draft.revision },
      });
      setConfirmed(draft, cid, {
        ...held,
        poll: isOutdated && held.poll ? { ...held.poll, own_votes: poll.own_votes } : poll,
      });
    }
}

function holdersOf(draft: StateDraft, cid: string, pollId: string): ClientMessage[] {
  const found = new Map<string, ClientMessage>();
  const collect = (message: ClientMessage): void => {
    if (message.poll_id === pollId || message.poll?.id === pollId) found.set(message.id, message);
  };
  for (const sets of draft.messageLists(cid))
    for (const set of sets) for (const message of set.edit) collect(message);
  for (const message of draft.peek(cid)!.pinned) collect(message);
  return [...found.values()];
}

export const MESSAGE_EVENTS: ReducerTable = {
  "message.new": messageNew,
  "notification.message_new": messageNew,
  "message.updated": messageChanged,
  "message.undeleted": messageChanged,
  "message.deleted": messageDeleted,
  "message.read": messageRead,
  "message.delivered": (draft, event) => {
    if (event.cid && event.user)
      applyDelivery(
        draft,
        event.cid,
        event.user.id,
        event.last_delivered_at,
        event.last_delivered_message_id,
      );
  },
  "notification.mark_read": markRead,
  "notification.mark_unread": (draft, event) => {
    if (event.cid && !event.thread_id) applyMarkUnread(draft, event.cid, event);
  },
  "notification.thread_message_new": threadMessageNew,
  "reaction.new": reactionChanged,
  "reaction.updated": reactionChanged,
  "reaction.deleted": reactionChanged,
  "poll.updated": pollChanged,
  "poll.closed": pollChanged,
  "poll.deleted": pollChanged,
  "poll.vote_casted": pollChanged,
  "poll.vote_changed": pollChanged,
  "poll.vote_removed": pollChanged,
};
