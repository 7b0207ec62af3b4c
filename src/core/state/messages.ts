/** Messages in all their places: which version is held, where it stands, and what follows when it changes (R-MSG). */
import { isPinned } from "../../model/message-state.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message, Reaction } from "../../wire/message.ts";
import { holdMessage } from "./hold.ts";
import type { HeldMessage } from "../../model/state.ts";
import { project } from "./project.ts";
import { mergePoll, ownBeside } from "./reactions.ts";
import { firstToldKey, insertNewest } from "./sets.ts";
import { isLocal } from "../../model/message-state.ts";
import { placeKey } from "./timeline.ts";
import type { SetDraft, Work } from "./work.ts";
import { QUEUE, ROOM } from "./world.ts";
import type { Told } from "./world.ts";

/** Messages whose moments of telling are kept per channel. */
const TOLD = 500;

export type Via =
  | { event: AnyEvent }
  /** A query, or an HTTP answer that began at `since` (decisions 23). */
  | { answer: true; since?: number };

/** Belongs to the channel's own list (R-MSG-2). */
export function inChannel(message: Message): boolean {
  return !message.parent_id || message.show_in_channel === true;
}

/** The held message, wherever it stands. */
export function find(work: Work, cid: string, id: string): HeldMessage | undefined {
  for (const sets of work.places(cid))
    for (const set of sets) {
      const found = set.edit.get(id);
      if (found) return found;
    }
  return work.peek(cid)?.pinned.find((message) => message.id === id);
}

export function toldOf(work: Work, cid: string, id: string): Told {
  return work.peekBook(cid).told.get(id) ?? { body: "", reactions: "", own: {}, ownSerials: {}, serial: 0 };
}

export function tell(work: Work, cid: string, id: string, change: Partial<Told>): void {
  const book = work.book(cid);
  const told = new Map(book.told);
  const next = { ...toldOf(work, cid, id), ...change, serial: work.serial };
  told.delete(id);
  told.set(id, next);
  if (told.size > TOLD) told.delete(told.keys().next().value!);
  book.told = told;
}

/** Shows `message` wherever its id stands; lists that do not hold it are left alone. */
export function replace(work: Work, cid: string, message: HeldMessage): void {
  for (const sets of work.places(cid))
    for (const set of sets) if (set.edit.has(message.id)) set.edit.put(message);
  repin(work, cid, message);
  requote(work, cid, message.id, message);
}

/** R-MSG-10, and R-MSG-5: the pinned list after this version of a message. */
function repin(work: Work, cid: string, message: HeldMessage): void {
  const entry = work.peek(cid);
  if (!entry) return;
  const pinned = isPinned(message, work.facts.now);
  const at = entry.pinned.findIndex((each) => each.id === message.id);
  if (!pinned && at < 0) return;
  const rest = entry.pinned.filter((each) => each.id !== message.id);
  work.entry(cid)!.pinned = pinned ? sortPins([...rest, message]) : rest;
}

export function sortPins<T extends Message>(messages: T[]): T[] {
  return messages.toSorted((a, b) => compareTimes(b.pinned_at, a.pinned_at) || (a.id < b.id ? -1 : 1));
}

/** Refreshes the copies inside quotes; `undefined` takes them away (R-MSG-6). */
function requote(work: Work, cid: string, id: string, message: HeldMessage | undefined): void {
  const copy = message && copyForQuote(message);
  const change = (each: HeldMessage): HeldMessage =>
    each.quoted_message_id === id && each.quoted_message ? { ...each, quoted_message: copy ?? null } : each;
  for (const sets of work.places(cid)) for (const set of sets) set.edit.rewrite(change);
  const entry = work.peek(cid);
  if (entry?.pinned.some((each) => each.quoted_message_id === id && each.quoted_message))
    work.entry(cid)!.pinned = entry.pinned.map(change);
}

/** Whether the book of the channel forbids this message: deleted for good, or truncated away. */
export function isGone(work: Work, cid: string, message: Message): boolean {
  const book = work.peekBook(cid);
  if (book.tombs.has(message.id)) return true;
  return book.cut !== "" && message.id !== book.cutKeeps && placeKey(message) <= book.cut;
}

/** The copy inside a quote may be older than the message itself, which is held (R-MSG-3, R-MSG-6). */
function freshenQuote(work: Work, cid: string, message: HeldMessage): HeldMessage {
  const id = message.quoted_message_id;
  if (!id || !message.quoted_message) return message;
  if (work.peekBook(cid).tombs.has(id)) return { ...message, quoted_message: null };
  const source = find(work, cid, id);
  if (!source || compareTimes(source.updated_at, message.quoted_message.updated_at) < 0) return message;
  return { ...message, quoted_message: copyForQuote(source) };
}

function copyForQuote(message: HeldMessage): Message {
  const { quoted_message: _, ...copy } = message;
  return copy;
}

/**
 * The version to hold after `raw` was told: an older one changes nothing (R-MSG-4); own reactions, own votes and what
 * only this client knows stay (R-MSG-3, R-MSG-9).
 */
export function settleVersion(work: Work, cid: string, raw: Message, via: Via): HeldMessage {
  const incoming = freshenQuote(work, cid, holdMessage(raw, work.intern));
  const held = find(work, cid, raw.id);
  const pending = work.peekBook(cid).pending.get(raw.id);
  const base = pending ? pending.base : held;
  const next = !base || isLocal(base) ? incoming : merge(work, cid, base, incoming, via);
  if ("event" in via) noteEvent(work, cid, next.id, via.event, Boolean(base));
  if (!pending) return next;
  if (next !== base) {
    const changes = new Map(work.peekBook(cid).pending);
    changes.set(raw.id, { ...pending, base: next });
    work.book(cid).pending = changes;
  }
  return project(next, pending.changes, work.facts);
}

/** Holds a new version of what the provider said, under the changes that are on their way. */
export function setBase(work: Work, cid: string, next: HeldMessage): void {
  const { pending } = work.peekBook(cid);
  const mine = pending.get(next.id);
  if (!mine) return replace(work, cid, next);
  work.book(cid).pending = new Map(pending).set(next.id, { ...mine, base: next });
  replace(work, cid, project(next, mine.changes, work.facts));
}

/** `message.new`, and the notification that tells the same to those who do not watch. */
const isArrival = (event: AnyEvent): boolean => /(^|[._])message[._]new$/.test(event.type);

function noteEvent(work: Work, cid: string, id: string, event: AnyEvent, wasHeld: boolean): void {
  if (isArrival(event) && !wasHeld) return;
  const moment = normalTime(event.created_at) ?? "";
  const told = toldOf(work, cid, id);
  const body = moment > told.body ? moment : told.body;
  const reactions = moment > told.reactions ? moment : told.reactions;
  tell(work, cid, id, { body, reactions });
}

function merge(work: Work, cid: string, base: HeldMessage, incoming: HeldMessage, via: Via): HeldMessage {
  const told = toldOf(work, cid, base.id);
  if (base.deleted_for_me && !incoming.deleted_for_me && !isUndelete(via)) return base;
  const age = compareTimes(incoming.updated_at, base.updated_at);
  if ("event" in via) {
    const moment = normalTime(via.event.created_at) ?? "";
    // A late or second `message.new` knows nothing that is not held already.
    if (age < 0 || (age === 0 && (moment < told.body || isArrival(via.event)))) return base;
    const next: HeldMessage = { ...incoming, own_reactions: base.own_reactions };
    if (moment < told.reactions) {
      next.reaction_groups = base.reaction_groups;
      next.latest_reactions = base.latest_reactions;
    }
    next.own_reactions = ownBeside(next, base.own_reactions, undefined);
    // Events are told to everybody: the own reminder and the own draft of the thread are never among them (README §13.4).
    if (base.reminder) next.reminder = base.reminder;
    if (base.reminderDue) next.reminderDue = base.reminderDue;
    if (base.draft) next.draft = base.draft;
    // Votes do not change the message: what was told of the poll since is newer than what an edit says of it.
    if (base.poll === null || (base.poll && moment < (told.own[`poll ${base.poll.id}`] ?? "")))
      next.poll = base.poll;
    else if (incoming.poll) next.poll = mergePoll(base.poll, incoming.poll);
    return next;
  }
  if (age < 0 || (via.since !== undefined && told.serial > via.since)) {
    const body = age < 0 ? base : { ...incoming, ...groupsOf(base), ...(age === 0 && repliesOf(base)) };
    const own_reactions = ownSince(base, incoming, told, via.since);
    const own_votes = incoming.poll?.own_votes;
    const poll = base.poll && own_votes ? { ...base.poll, own_votes } : (base.poll ?? incoming.poll);
    return { ...body, own_reactions, ...(poll && { poll }) };
  }
  return incoming;
}

/** Own reactions out of an answer; those that an event told after it was asked for are as the event said. */
function ownSince(
  base: HeldMessage,
  incoming: HeldMessage,
  { ownSerials }: Told,
  since = Number.MAX_SAFE_INTEGER,
): HeldMessage["own_reactions"] {
  const later = ({ type }: Reaction): boolean => (ownSerials[type] ?? 0) > since;
  return [...incoming.own_reactions.filter((one) => !later(one)), ...base.own_reactions.filter(later)];
}

const groupsOf = (message: HeldMessage): Pick<HeldMessage, "reaction_groups" | "latest_reactions"> => ({
  reaction_groups: message.reaction_groups,
  latest_reactions: message.latest_reactions,
});

/** Replies do not change their message: its own time says nothing about which number is newer. */
const repliesOf = ({
  reply_count,
  deleted_reply_count,
  thread_participants,
}: HeldMessage): Partial<HeldMessage> => ({
  reply_count,
  ...(deleted_reply_count !== undefined && { deleted_reply_count }),
  ...(thread_participants && { thread_participants }),
});

const isUndelete = (via: Via): boolean => "event" in via && via.event.type === "message.undeleted";

/** Events that come before the list has caught up with the provider: others may be missing before them (D6). */
export function isBehind(work: Work, cid: string, message: Message): boolean {
  const entry = work.peek(cid);
  if (!entry) return false;
  if (inChannel(message)) return entry.stale;
  return entry.threads.get(message.parent_id!)?.stale === true;
}

/** A message that is not held as received comes alone: it proves nothing about its neighbours. Call before it is inserted. */
export function loosen(work: Work, cid: string, id: string): void {
  const held = find(work, cid, id);
  if (!work.has(cid) || (held && !isLocal(held))) return;
  const loose = work.peek(cid)!.loose;
  if (!loose?.has(id)) work.entry(cid)!.loose = new Set(loose).add(id);
}

/** It came in its turn on a link that has caught up: nothing is missing before it. */
export function fasten(work: Work, cid: string, id: string): void {
  const loose = work.peek(cid)?.loose;
  if (!loose?.has(id)) return;
  const next = new Set(loose);
  next.delete(id);
  work.entry(cid)!.loose = next;
}

/** Puts a message where it belongs: the latest set of the channel, of its thread, or both (R-MSG-2, R-SET-13). */
export function insert(work: Work, cid: string, message: HeldMessage): void {
  const room = work.peekBook(cid).room;
  if (inChannel(message)) {
    const sets = work.sets(cid);
    if (sets && !putIfHeld(sets, message)) insertNewest(sets, message, room);
  }
  if (message.parent_id) {
    const sets = work.sets(cid, message.parent_id);
    if (sets && !putIfHeld(sets, message)) insertNewest(sets, message, ROOM);
  }
}

function putIfHeld(sets: readonly SetDraft[], message: HeldMessage): boolean {
  const holder = sets.find((set) => set.edit.has(message.id));
  if (!holder) return false;
  const was = holder.edit.get(message.id)!;
  const first = firstToldKey(holder);
  // An echo stood at the end; where the provider has it, a gap may lie between it and what is held (D6).
  const below = holder.hasPrev && first !== undefined && placeKey(message) < first;
  if (isLocal(was) && !isLocal(message) && below) holder.edit.remove(message.id);
  else holder.edit.put(message);
  return true;
}

/** R-MSG-6: out of every list, with its thread; quotes lose it, and it cannot come back. */
export function destroy(work: Work, cid: string, id: string): void {
  const book = work.book(cid);
  const tombs = new Set(book.tombs).add(id);
  if (tombs.size > ROOM) tombs.delete(tombs.values().next().value!);
  book.tombs = tombs;
  withdraw(work, cid, id);
  work.closeThread(cid, id);
  requote(work, cid, id, undefined);
}

/** Takes a message out of every list, without a tombstone. */
export function withdraw(work: Work, cid: string, id: string): void {
  for (const sets of work.places(cid)) for (const set of sets) set.edit.remove(id);
  const entry = work.peek(cid);
  if (entry?.pinned.some((each) => each.id === id))
    work.entry(cid)!.pinned = entry.pinned.filter((each) => each.id !== id);
  endLocation(work, cid, id);
  const book = work.peekBook(cid);
  if (!book.pending.has(id)) return;
  const pending = new Map(book.pending);
  pending.delete(id);
  work.book(cid).pending = pending;
}

/** The live location of a message that is gone (LE-3). */
export function endLocation(work: Work, cid: string, messageId: string): void {
  const held = work.peek(cid)?.liveLocations;
  if (held?.some((each) => each.message_id === messageId))
    work.entry(cid)!.liveLocations = held.filter((each) => each.message_id !== messageId);
}

/** Replaces every message `change` wants otherwise: sets, threads, pins, quotes (R-MSG-12, `user.updated`). */
export function rewriteAll(work: Work, cid: string, change: (message: HeldMessage) => HeldMessage): void {
  const deep = (message: HeldMessage): HeldMessage => {
    const quoted = message.quoted_message;
    const next = quoted ? change(quoted) : quoted;
    return change(next === quoted ? message : { ...message, quoted_message: next! });
  };
  for (const sets of work.places(cid)) for (const set of sets) set.edit.rewrite(deep);
  const entry = work.peek(cid);
  if (entry?.pinned.length) {
    const pinned = entry.pinned.map(deep).filter((each) => isPinned(each, work.facts.now));
    if (pinned.some((each, i) => each !== entry.pinned[i]) || pinned.length !== entry.pinned.length)
      work.entry(cid)!.pinned = pinned;
  }
  const book = work.peekBook(cid);
  if (book.pending.size)
    work.book(cid).pending = new Map(
      [...book.pending].map(([id, each]) => [id, { ...each, base: deep(each.base) }]),
    );
}

/**
 * An event about a message that is not held: kept when the message should be or may soon be, so that its order of
 * arrival does not matter; wished for when it lies inside what is held (R-SET-17, reliability.md "Applying").
 */
export function keepAhead(work: Work, cid: string, message: Message, event: AnyEvent): void {
  if (isGone(work, cid, message)) return;
  const sets = work.sets(cid, inChannel(message) ? undefined : message.parent_id);
  const key = placeKey(message);
  const beyond = sets?.find((set) => set.isLatest);
  if (!sets || !beyond) return;
  const firstKey = firstToldKey(beyond);
  if (beyond.hasPrev && firstKey !== undefined && key < firstKey) return;
  const book = work.book(cid);
  const told = normalTime(event.created_at) ?? "";
  const known = book.ahead.some(
    (each) =>
      each.type === event.type &&
      (normalTime(each.created_at) ?? "") === told &&
      (each.message as Message | undefined)?.id === message.id,
  );
  if (!known) book.ahead = [...book.ahead, event].slice(-QUEUE);
  if ((beyond.edit.lastKey ?? "") > key) work.want({ kind: "message", cid, id: message.id });
}

/** A message has come to be held: what was told ahead of it is applied now. */
export function catchUp(work: Work, cid: string, ids: ReadonlySet<string>): void {
  const { ahead } = work.peekBook(cid);
  if (ahead.length === 0) return;
  const of = (event: AnyEvent): string => (event.message as Message | undefined)?.id ?? "";
  const due = ahead.filter((event) => ids.has(of(event)));
  if (due.length === 0) return;
  work.book(cid).ahead = ahead.filter((event) => !ids.has(of(event)));
  work.again.push(...due);
  for (const id of ids) work.served({ kind: "message", cid, id });
}
