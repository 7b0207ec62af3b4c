/** Messages in all lists that contain them: which version wins, where it is inserted, and how changes spread (R-MSG). */
import { isPinned, isLocal } from "../../model/message-state.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import { holdMessage } from "../../model/client-message.ts";
import type { ClientMessage } from "../../model/state.ts";
import { withPendingChanges } from "./pending-changes.ts";
import { mergePoll } from "../../model/poll-votes.ts";
import { ownReactionsAmong } from "./reactions.ts";
import { firstConfirmedKey, insertNewest } from "./sets.ts";
import { orderKey } from "./timeline.ts";
import type { SetDraft, StateDraft } from "./state-draft.ts";
import { recordPartChange } from "./part-versions.ts";
import { trailAfter } from "./trails.ts";
import { HELD_WINDOW_SIZE, MAX_HELD_EVENTS, WINDOW_SIZE, type AppliedVersion } from "./internal-state.ts";

/** Message versions recorded per channel. */
const MAX_VERSIONS = 500;

/** Keys in `ownRevisions`, beside those of reactions. */
const OWN_REMINDER = "own reminder";
const OWN_DRAFT = "own draft";

type VersionSource =
  | { event: AnyEvent }
  /** A query, or an HTTP answer requested at revision `since` (specification/state.md §2). */
  | { answer: true; since?: number };

export const fromAnswer = (since: number | undefined): VersionSource => ({
  answer: true,
  ...(since !== undefined && { since }),
});

/** Whether a message is in the channel's list, not only in a thread (R-MSG-2). */
export function inChannel(message: Message): boolean {
  return !message.parent_id || message.show_in_channel === true;
}

/** The loaded message, from any list. */
export function findLoaded(draft: StateDraft, cid: string, id: string): ClientMessage | undefined {
  for (const sets of draft.messageLists(cid))
    for (const set of sets) {
      const found = set.edit.get(id);
      if (found) return found;
    }
  return draft.peek(cid)?.pinned.find((message) => message.id === id);
}

export function versionOf(draft: StateDraft, cid: string, id: string): AppliedVersion {
  return (
    draft.peekMeta(cid).versions.get(id) ?? {
      body: "",
      reactions: "",
      own: {},
      ownRevisions: {},
      revision: 0,
    }
  );
}

export function recordVersion(
  draft: StateDraft,
  cid: string,
  id: string,
  change: Partial<AppliedVersion>,
): void {
  const meta = draft.meta(cid);
  const versions = draft.writable(meta.versions);
  const next = { ...versionOf(draft, cid, id), revision: draft.revision, ...change };
  versions.delete(id);
  versions.set(id, next);
  if (versions.size > MAX_VERSIONS) versions.delete(versions.keys().next().value!);
  meta.versions = versions;
}

/** Replaces the message in every list that contains its id. */
export function replaceMessage(draft: StateDraft, cid: string, message: ClientMessage): void {
  for (const sets of draft.messageLists(cid))
    for (const set of sets) if (set.edit.has(message.id)) set.edit.put(message);
  repin(draft, cid, message);
  requote(draft, cid, message.id, message);
}

/** R-MSG-10, and R-MSG-5: updates the list of pinned messages for this version. */
function repin(draft: StateDraft, cid: string, message: ClientMessage): void {
  const entry = draft.peek(cid);
  if (!entry) return;
  const pinned = isPinned(message, draft.context.now);
  const at = entry.pinned.findIndex((each) => each.id === message.id);
  if (!pinned && at < 0) return;
  const rest = entry.pinned.filter((each) => each.id !== message.id);
  draft.entry(cid)!.pinned = pinned ? sortPins([...rest, message]) : rest;
}

export function sortPins<T extends Message>(messages: T[]): T[] {
  return messages.toSorted((a, b) => compareTimes(b.pinned_at, a.pinned_at) || (a.id < b.id ? -1 : 1));
}

/** Updates the copies in quotes; `undefined` removes them, and those of the message's replies, which go with it (R-MSG-6). */
function requote(draft: StateDraft, cid: string, id: string, message: ClientMessage | undefined): void {
  const copy = message && copyForQuote(message);
  const isMeant = ({ quoted_message_id: quotedId, quoted_message: quoted }: ClientMessage): boolean =>
    Boolean(quoted) && (quotedId === id || (!message && quoted?.parent_id === id));
  const change = (each: ClientMessage): ClientMessage =>
    isMeant(each) ? { ...each, quoted_message: copy ?? null } : each;
  for (const sets of draft.messageLists(cid)) for (const set of sets) set.edit.rewrite(change);
  const entry = draft.peek(cid);
  if (entry?.pinned.some(isMeant)) draft.entry(cid)!.pinned = entry.pinned.map(change);
}

/** Whether the message or the one that it replies to was hard deleted (R-MSG-6). */
const wasErased = (
  tombstones: ReadonlySet<string>,
  { id, parent_id: parent }: { id: string; parent_id?: string | undefined },
): boolean => tombstones.has(id) || (parent !== undefined && tombstones.has(parent));

/** Whether this message was hard deleted, with the message that it replies to if it is a reply, or truncated. */
export function isGone(draft: StateDraft, cid: string, message: Message): boolean {
  const meta = draft.peekMeta(cid);
  if (wasErased(meta.tombstones, message)) return true;
  return (
    meta.truncatedUpTo !== "" && message.id !== meta.keptMessageId && orderKey(message) <= meta.truncatedUpTo
  );
}

/** Updates the copy in a quote when a newer version of the quoted message is loaded (R-MSG-3, R-MSG-6). */
function refreshQuote(draft: StateDraft, cid: string, message: ClientMessage): ClientMessage {
  const id = message.quoted_message_id;
  if (!id || !message.quoted_message) return message;
  if (wasErased(draft.peekMeta(cid).tombstones, { ...message.quoted_message, id }))
    return { ...message, quoted_message: null };
  const source = findLoaded(draft, cid, id);
  if (!source || compareTimes(source.updated_at, message.quoted_message.updated_at) < 0) return message;
  return { ...message, quoted_message: copyForQuote(source) };
}

function copyForQuote(message: ClientMessage): Message {
  const { quoted_message: _, ...copy } = message;
  return copy;
}

/**
 * Merges a received version: an older one changes nothing (R-MSG-4); the user's reactions and votes and local data stay
 * (R-MSG-3, R-MSG-9).
 */
export function mergeVersion(
  draft: StateDraft,
  cid: string,
  raw: Message,
  via: VersionSource,
): ClientMessage {
  const incoming = refreshQuote(draft, cid, holdMessage(raw, draft.intern));
  const held = findLoaded(draft, cid, raw.id);
  const pending = draft.peekMeta(cid).pending.get(raw.id);
  const base = pending ? pending.base : held;
  const next = withTrail(base, !base || isLocal(base) ? incoming : merge(draft, cid, base, incoming, via));
  if ("event" in via) recordEvent(draft, cid, next.id, via.event, Boolean(base));
  if (!pending) return next;
  if (next !== base) {
    const meta = draft.meta(cid);
    meta.pending = draft.writable(meta.pending).set(raw.id, { ...pending, base: next });
  }
  return withPendingChanges(next, pending.changes, draft.context);
}

function withTrail(base: ClientMessage | undefined, next: ClientMessage): ClientMessage {
  if (!base?.shared_location || next === base) return next;
  const trail = trailAfter(base.trail, base.shared_location, next.shared_location);
  return trail ? { ...next, trail } : next;
}

/** Sets a new reminder or thread draft of the current user: answers requested before do not overwrite it, only the rest. */
export function setPersonalField(
  draft: StateDraft,
  cid: string,
  mark: "reminder" | "draft",
  next: ClientMessage,
): void {
  const { revision, ownRevisions } = versionOf(draft, cid, next.id);
  const key = mark === "draft" ? OWN_DRAFT : OWN_REMINDER;
  recordVersion(draft, cid, next.id, { revision, ownRevisions: { ...ownRevisions, [key]: draft.revision } });
  setConfirmed(draft, cid, next);
}

/** Sets a new confirmed version, with pending changes applied on top. */
export function setConfirmed(draft: StateDraft, cid: string, next: ClientMessage): void {
  const { pending } = draft.peekMeta(cid);
  const entry = pending.get(next.id);
  if (!entry) return replaceMessage(draft, cid, next);
  draft.meta(cid).pending = draft.writable(pending).set(next.id, { ...entry, base: next });
  replaceMessage(draft, cid, withPendingChanges(next, entry.changes, draft.context));
}

/** `message.new`, or the notification that users who do not watch get instead. */
const isArrival = (event: AnyEvent): boolean => /(^|[._])message[._]new$/.test(event.type);

function recordEvent(draft: StateDraft, cid: string, id: string, event: AnyEvent, wasHeld: boolean): void {
  if (isArrival(event) && !wasHeld) return;
  const moment = normalTime(event.created_at) ?? "";
  const applied = versionOf(draft, cid, id);
  const body = moment > applied.body ? moment : applied.body;
  const reactions = moment > applied.reactions ? moment : applied.reactions;
  recordVersion(draft, cid, id, { body, reactions });
}

function merge(
  draft: StateDraft,
  cid: string,
  base: ClientMessage,
  incoming: ClientMessage,
  via: VersionSource,
): ClientMessage {
  if (base.deleted_for_me && !incoming.deleted_for_me && !isUndelete(via)) return base;
  const applied = versionOf(draft, cid, base.id);
  return "event" in via
    ? mergeEvent(base, incoming, applied, via.event)
    : withPersonalFields(base, mergeAnswer(base, incoming, applied, via.since), incoming, applied, via.since);
}

/**
 * Reminder and thread draft of the current user change independently of the message: events since the request win, and a
 * due reminder stays due until it gets another time (RE-6).
 */
function withPersonalFields(
  base: ClientMessage,
  merged: ClientMessage,
  incoming: ClientMessage,
  { ownRevisions }: AppliedVersion,
  since = Number.MAX_SAFE_INTEGER,
): ClientMessage {
  const { reminder: _r, reminderDue: _due, draft: _d, ...rest } = merged;
  const { reminder } = (ownRevisions[OWN_REMINDER] ?? 0) > since ? base : incoming;
  const { draft } = (ownRevisions[OWN_DRAFT] ?? 0) > since ? base : incoming;
  const due = base.reminderDue && reminder?.remind_at === base.reminder?.remind_at;
  return {
    ...rest,
    ...(reminder && { reminder }),
    ...(due && { reminderDue: true }),
    ...(draft && { draft }),
  };
}

function mergeEvent(
  base: ClientMessage,
  incoming: ClientMessage,
  applied: AppliedVersion,
  event: AnyEvent,
): ClientMessage {
  const age = compareTimes(incoming.updated_at, base.updated_at);
  const moment = normalTime(event.created_at) ?? "";
  // A late or repeated `message.new` contains nothing new.
  if (age < 0 || (age === 0 && (moment < applied.body || isArrival(event)))) return base;
  const next: ClientMessage = { ...incoming, own_reactions: base.own_reactions };
  if (moment < applied.reactions) {
    next.reaction_groups = base.reaction_groups;
    next.latest_reactions = base.latest_reactions;
  }
  next.own_reactions = ownReactionsAmong(next, base.own_reactions, undefined);
  // Events are the same for everybody: they contain no reminder and no draft of the current user (specification/wire.md §13.4).
  if (base.reminder) next.reminder = base.reminder;
  if (base.reminderDue) next.reminderDue = base.reminderDue;
  if (base.draft) next.draft = base.draft;
  // Votes do not change the message: poll events since are newer than the poll in an edited message.
  if (base.poll === null || (base.poll && moment < (applied.own[`poll ${base.poll.id}`] ?? "")))
    next.poll = base.poll;
  else if (incoming.poll) next.poll = mergePoll(base.poll, incoming.poll);
  return next;
}

/** `since`: revision at the request; changes by later events stay. */
function mergeAnswer(
  base: ClientMessage,
  incoming: ClientMessage,
  applied: AppliedVersion,
  since: number | undefined,
): ClientMessage {
  const age = compareTimes(incoming.updated_at, base.updated_at);
  if (age >= 0 && (since === undefined || applied.revision <= since)) return incoming;
  const body = age < 0 ? base : { ...incoming, ...groupsOf(base), ...(age === 0 && repliesOf(base)) };
  const own_reactions = ownReactionsSince(base, incoming, applied, since);
  const votedSince =
    (applied.ownRevisions[`poll ${base.poll?.id}`] ?? 0) > (since ?? Number.MAX_SAFE_INTEGER);
  const own_votes = votedSince ? base.poll?.own_votes : incoming.poll?.own_votes;
  const poll = base.poll && own_votes ? { ...base.poll, own_votes } : (base.poll ?? incoming.poll);
  return { ...body, own_reactions, ...(poll && { poll }) };
}

/** The user's reactions from an answer, except those that events changed since the request. */
function ownReactionsSince(
  base: ClientMessage,
  incoming: ClientMessage,
  { ownRevisions }: AppliedVersion,
  since = Number.MAX_SAFE_INTEGER,
): ClientMessage["own_reactions"] {
  const later = ({ type }: Reaction): boolean => (ownRevisions[type] ?? 0) > since;
  return [...incoming.own_reactions.filter((one) => !later(one)), ...base.own_reactions.filter(later)];
}

const groupsOf = (message: ClientMessage): Pick<ClientMessage, "reaction_groups" | "latest_reactions"> => ({
  reaction_groups: message.reaction_groups,
  latest_reactions: message.latest_reactions,
});

/** Replies do not change `updated_at` of their parent, so it does not tell which count is newer. */
const repliesOf = ({
  reply_count,
  deleted_reply_count,
  thread_participants,
}: ClientMessage): Partial<ClientMessage> => ({
  reply_count,
  ...(deleted_reply_count !== undefined && { deleted_reply_count }),
  ...(thread_participants && { thread_participants }),
});

const isUndelete = (via: VersionSource): boolean => "event" in via && via.event.type === "message.undeleted";

/** Whether the list of a message is stale: messages before it may be missing (D6). */
export function isBehind(draft: StateDraft, cid: string, message: Message): boolean {
  const entry = draft.peek(cid);
  if (!entry) return false;
  if (inChannel(message)) return entry.stale;
  return entry.threads.get(message.parent_id!)?.stale === true;
}

/** Marks a message that arrived alone: messages between it and its neighbours may be missing. Call before inserting it. */
export function markDetached(draft: StateDraft, cid: string, id: string): void {
  const held = findLoaded(draft, cid, id);
  if (!draft.has(cid) || (held && !isLocal(held))) return;
  const detached = draft.peek(cid)!.detached;
  if (!detached?.has(id)) draft.entry(cid)!.detached = new Set(detached).add(id);
}

/** The message arrived in order on a current connection: nothing is missing before it. */
export function attachMessage(draft: StateDraft, cid: string, id: string): void {
  const detached = draft.peek(cid)?.detached;
  if (!detached?.has(id)) return;
  const next = new Set(detached);
  next.delete(id);
  draft.entry(cid)!.detached = next;
}

/** Inserts a message into the latest set of the channel, of its thread, or both (R-MSG-2, R-SET-13). */
export function insertClientMessage(draft: StateDraft, cid: string, message: ClientMessage): void {
  const { windowSize, isHeld } = draft.peekMeta(cid);
  const limit = isHeld ? HELD_WINDOW_SIZE : windowSize;
  if (inChannel(message)) {
    const sets = draft.sets(cid);
    if (sets && !putIfHeld(sets, message)) insertNewest(sets, message, limit);
  }
  if (message.parent_id) {
    const sets = draft.sets(cid, message.parent_id);
    if (sets && !putIfHeld(sets, message)) insertNewest(sets, message, isHeld ? limit : WINDOW_SIZE);
  }
}

function putIfHeld(sets: readonly SetDraft[], message: ClientMessage): boolean {
  const holder = sets.find((set) => set.edit.has(message.id));
  if (!holder) return false;
  const was = holder.edit.get(message.id)!;
  const first = firstConfirmedKey(holder);
  // The echo was at the end; at the provider's position there may be a gap before the loaded messages (D6).
  const below = holder.hasPrev && first !== undefined && orderKey(message) < first;
  if (isLocal(was) && !isLocal(message) && below) holder.edit.remove(message.id);
  else holder.edit.put(message);
  return true;
}

/** R-MSG-6: removes a message from all lists, with its replies and quotes; a tombstone keeps them from coming back. */
export function hardDelete(draft: StateDraft, cid: string, id: string): void {
  const meta = draft.meta(cid);
  const tombstones = new Set(meta.tombstones).add(id);
  if (tombstones.size > WINDOW_SIZE) tombstones.delete(tombstones.values().next().value!);
  meta.tombstones = tombstones;
  removeLoaded(draft, cid, id);
  for (const reply of repliesTo(draft, cid, id)) removeLoaded(draft, cid, reply);
  draft.closeThread(cid, id);
  requote(draft, cid, id, undefined);
}

/** Ids of the replies to a message wherever they are loaded: in its thread, in the channel, among the pins. */
function repliesTo(draft: StateDraft, cid: string, id: string): ReadonlySet<string> {
  const loaded = draft.messageLists(cid).flatMap((sets) => sets.flatMap((set) => [...set.edit]));
  const pinned = draft.peek(cid)?.pinned ?? [];
  return new Set([...loaded, ...pinned].flatMap((each) => (each.parent_id === id ? each.id : [])));
}

/** Removes a message from all lists, without a tombstone. */
export function removeLoaded(draft: StateDraft, cid: string, id: string): void {
  for (const sets of draft.messageLists(cid)) for (const set of sets) set.edit.remove(id);
  const entry = draft.peek(cid);
  if (entry?.pinned.some((each) => each.id === id))
    draft.entry(cid)!.pinned = entry.pinned.filter((each) => each.id !== id);
  endHeldLocation(draft, cid, id);
  const { pending } = draft.peekMeta(cid);
  if (pending.has(id)) draft.meta(cid).pending = draft.without(pending, id);
}

/** LE-3. */
export function endHeldLocation(draft: StateDraft, cid: string, messageId: string): void {
  const held = draft.peek(cid)?.liveLocations;
  if (!held?.some((each) => each.message_id === messageId)) return;
  draft.entry(cid)!.liveLocations = held.filter((each) => each.message_id !== messageId);
  recordPartChange(draft, cid, `location ${messageId}`);
}

/** Applies `change` to all messages: sets, threads, pins, quotes (R-MSG-12, `user.updated`). */
export function rewriteAll(
  draft: StateDraft,
  cid: string,
  change: (message: ClientMessage) => ClientMessage,
): void {
  const deep = (message: ClientMessage): ClientMessage => {
    const quoted = message.quoted_message;
    const next = quoted ? change(quoted) : quoted;
    return change(next === quoted ? message : { ...message, quoted_message: next! });
  };
  for (const sets of draft.messageLists(cid)) for (const set of sets) set.edit.rewrite(deep);
  const entry = draft.peek(cid);
  if (entry?.pinned.length) {
    const pinned = entry.pinned.map(deep).filter((each) => isPinned(each, draft.context.now));
    if (pinned.some((each, i) => each !== entry.pinned[i]) || pinned.length !== entry.pinned.length)
      draft.entry(cid)!.pinned = pinned;
  }
  const meta = draft.peekMeta(cid);
  if (meta.pending.size)
    draft.meta(cid).pending = new Map(
      [...meta.pending].map(([id, each]) => [id, { ...each, base: deep(each.base) }]),
    );
}

/**
 * Keeps an event about a message that is not loaded but may arrive soon, so that the order of arrival does not matter;
 * a message that is missing within the loaded ones is fetched (R-SET-17, specification/state.md §1).
 */
export function holdEvent(draft: StateDraft, cid: string, message: Message, event: AnyEvent): void {
  if (isGone(draft, cid, message)) return;
  const sets = draft.sets(cid, inChannel(message) ? undefined : message.parent_id);
  const key = orderKey(message);
  const latest = sets?.find((set) => set.isLatest);
  const firstKey = latest && firstConfirmedKey(latest);
  const meta = draft.meta(cid);
  if (!latest || (latest.hasPrev && firstKey !== undefined && key < firstKey)) {
    const { revision } = draft;
    meta.outsideEvents = [...meta.outsideEvents, { event, revision }].slice(-MAX_HELD_EVENTS);
    return;
  }
  const eventAt = normalTime(event.created_at) ?? "";
  const known = meta.heldEvents.some(
    (each) =>
      each.type === event.type &&
      (normalTime(each.created_at) ?? "") === eventAt &&
      (each.message as Message | undefined)?.id === message.id,
  );
  if (!known) meta.heldEvents = [...meta.heldEvents, event].slice(-MAX_HELD_EVENTS);
  if ((latest.edit.lastKey ?? "") > key) draft.requestRefetch({ kind: "message", cid, id: message.id });
}

const messageIdOf = (event: AnyEvent): string => (event.message as Message | undefined)?.id ?? "";

/** A page was loaded: applies events about its messages that arrived after revision `since`, at which it was asked for. */
export function applyOutsideEvents(
  draft: StateDraft,
  cid: string,
  ids: ReadonlySet<string>,
  since: number | undefined,
): void {
  const { outsideEvents } = draft.peekMeta(cid);
  if (outsideEvents.length === 0) return;
  const ofPage = outsideEvents.filter(({ event }) => ids.has(messageIdOf(event)));
  if (ofPage.length === 0) return;
  draft.meta(cid).outsideEvents = outsideEvents.filter((each) => !ofPage.includes(each));
  if (since === undefined) return;
  draft.requeued.push(...ofPage.filter(({ revision }) => revision > since).map(({ event }) => event));
}

/** Messages were loaded: applies events that arrived before them. */
export function applyHeldEvents(draft: StateDraft, cid: string, ids: ReadonlySet<string>): void {
  const { heldEvents } = draft.peekMeta(cid);
  if (heldEvents.length === 0) return;
  const due = heldEvents.filter((event) => ids.has(messageIdOf(event)));
  if (due.length === 0) return;
  draft.meta(cid).heldEvents = heldEvents.filter((event) => !ids.has(messageIdOf(event)));
  draft.requeued.push(...due);
  for (const id of ids) draft.refetchDone({ kind: "message", cid, id });
}
