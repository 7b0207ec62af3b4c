/** Unread and mention numbers as sets and maxima, never as counters: the provider's number, later ids, deleted ones (R-READ, specification/reading.md §1, D8, D9). */
import { isPending } from "../../model/membership.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { Read } from "../../wire/entities/channel.ts";
import type { Message } from "../../wire/entities/message.ts";
import { find, inChannel, isGone } from "./messages.ts";
import type { ChannelEntry } from "../../model/state.ts";
import { isBlockedIn, isChannelMuted, isUserMuted } from "../../model/mutes.ts";
import { isLocal } from "../../model/message-state.ts";
import { latestOf } from "./sets.ts";
import { lastKeyOf, lowerBound, orderKey } from "./timeline.ts";
import type { StateDraft } from "./state-draft.ts";

/*
 * The number of a channel is what the provider counted up to `snapshotEnd`, and the messages that came later (`newerKeys`):
 *
 *            a delete below `floor`, a mark or a cut below `snapshotEnd`,
 *            a message that is back, a mark whose end is unknown
 *    exact ───────────────────────────────────────────────────────────▶ recounting
 *      │  ▲                                                                │   ▲
 *      │  └────── an answer that was asked for since (`snapshot`) ─────────┘   │
 *      │                                                                       │
 *      └───────────────────────────────▶ guessed ──────────────────────────────┘
 *         an answer that does not know             the mark is taken or refused
 *         of the own mark, and a gap behind it
 *
 * The own mark, which the next answers must not take back:
 *
 *    none ── `markSeen` ──▶ on its way (`localReadAt`) ──▶ taken: an event or an answer tells of it (`readUpTo`, `snapshot`)
 *                                                     ├──▶ refused (`dropLocalRead`)
 *                                                     └──▶ nobody knows (`readUnknown`): the next answer is believed
 */

/** Later keys kept one by one; beyond this the older half is folded into the snapshot. */
const MAX_NEWER_KEYS = 512;
/** Deletes remembered for the count. */
const MAX_DELETED_IDS = 1000;
const NONE: ReadonlySet<string> = new Set();
/** Stands behind every key. */
const AFTER_ALL = "\uffff";
const COUNTING_TYPES: ReadonlySet<string> = new Set(["regular", "reply", "system"]);

/** R-READ-2: whether a message counts for the own user in this channel. */
function counts(draft: StateDraft, entry: ChannelEntry, message: Message): boolean {
  const { me } = draft.state;
  const { now } = draft.context;
  const author = message.user?.id;
  if (author === draft.context.me || message.silent || message.shadowed || !inChannel(message)) return false;
  if (!COUNTING_TYPES.has(message.type)) return false;
  const visibleTo = message.restricted_visibility;
  if (visibleTo?.length && !visibleTo.includes(draft.context.me ?? "")) return false;
  if (entry.channel.config?.read_events === false) return false;
  if (isPending(entry.membership)) return false;
  if (isChannelMuted(me, entry.cid, now)) return false;
  return !author || !(isUserMuted(me, author, now) || isBlockedIn(me, entry, author));
}

function mentionsMe(draft: StateDraft, message: Message): boolean {
  return message.mentioned_users?.some((user) => user.id === draft.context.me) ?? false;
}

/** Adds a key to an ascending list; the same list when it is in already. */
function withKey(keys: readonly string[], key: string): readonly string[] {
  const last = keys.at(-1);
  if (last === undefined || last < key) return [...keys, key];
  const at = lowerBound(keys, key);
  return keys[at] === key ? keys : keys.toSpliced(at, 0, key);
}

const after = (keys: readonly string[], key: string): readonly string[] =>
  keys.length === 0 || keys[0]! > key ? keys : keys.filter((each) => each > key);

function ownRead(draft: StateDraft, entry: ChannelEntry): Read | undefined {
  return draft.context.me === undefined ? undefined : entry.read.get(draft.context.me);
}

/** Writes the numbers of the metas into the entry. */
function show(draft: StateDraft, cid: string): void {
  const meta = draft.peekMeta(cid);
  const held = draft.peek(cid);
  if (!held) return;
  const unread = meta.snapshotCount + meta.newerKeys.length;
  const mentions = meta.mentions.length;
  const own = ownRead(draft, held);
  if (held.unread === unread && held.mentions === mentions && (own?.unread_messages ?? unread) === unread)
    return;
  const entry = draft.entry(cid)!;
  entry.unread = unread;
  entry.mentions = mentions;
  if (own && own.unread_messages !== unread) setRead(draft, cid, { ...own, unread_messages: unread });
}

function setRead(draft: StateDraft, cid: string, read: Read): void {
  const entry = draft.entry(cid)!;
  entry.read = draft.writable(entry.read).set(read.user.id, read);
}

/** A message arrived: it counts once, whatever the order or number of its arrivals (R-READ-2, R-READ-10). */
export function countUnread(draft: StateDraft, cid: string, message: Message): void {
  const entry = draft.peek(cid);
  if (!entry || !counts(draft, entry, message)) return;
  const meta = draft.peekMeta(cid);
  const key = orderKey(message);
  if (key <= meta.snapshotEnd || meta.deletedIds.has(message.id) || isGone(draft, cid, message)) return;
  const counted = withKey(meta.newerKeys, key);
  if (counted === meta.newerKeys) return;
  const mine = draft.meta(cid);
  if (mine.snapshotCount + mine.newerKeys.length === 0 && !entry.firstUnreadId)
    draft.entry(cid)!.firstUnreadId = message.id;
  mine.newerKeys = counted;
  if (mentionsMe(draft, message)) mine.mentions = withKey(mine.mentions, key);
  if (counted.length > MAX_NEWER_KEYS) {
    const folded = counted.length >> 1;
    mine.snapshotCount += folded;
    // Which they were is not kept.
    mine.floor = AFTER_ALL;
    mine.snapshotEnd = counted[folded - 1]!;
    mine.newerKeys = counted.slice(folded);
  }
  show(draft, cid);
}

/**
 * R-READ-7: a deleted message is taken off once. What came with the number says whether it counts the message; of older
 * ones nobody here knows, and the provider is asked when it is quiet (D9).
 */
export function uncount(draft: StateDraft, cid: string, message: Message): void {
  const entry = draft.peek(cid);
  const { deletedIds, snapshotCount, snapshotEnd, floor, known } = draft.peekMeta(cid);
  if (!entry || deletedIds.has(message.id)) return;
  const key = orderKey(message);
  const mine = draft.meta(cid);
  mine.deletedIds = remembered(deletedIds, message.id);
  mine.mentions = mine.mentions.filter((each) => each !== key);
  mine.newerKeys = mine.newerKeys.filter((each) => each !== key);
  const shown = { ...message, type: message.parent_id ? "reply" : "regular" } as Message;
  if (counts(draft, entry, shown) && key > lastReadKey(draft, entry)) {
    // The first frame may be older than a delete that only the log tells.
    draft.requestRefetch({ kind: "totals", cid: "" });
    if (snapshotCount > 0 && known.has(message.id)) mine.snapshotCount -= 1;
    else if (snapshotCount > 0 && key <= snapshotEnd && key < floor) requestRecount(draft, cid, key);
  }
  show(draft, cid);
}

/** A message is back: whether it counts again, only the provider can say. */
export function recountUnread(draft: StateDraft, cid: string, message: Message): void {
  if (draft.peekMeta(cid).deletedIds.has(message.id)) requestRecount(draft, cid, orderKey(message));
}

function remembered(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids).add(id);
  if (next.size > MAX_DELETED_IDS) next.delete(next.values().next().value!);
  return next;
}

/** Only the provider can say what the snapshot counts of the messages from `key` on. */
function requestRecount(draft: StateDraft, cid: string, key: string): void {
  if (key <= lastReadKey(draft, draft.peek(cid)!)) return;
  draft.meta(cid).recountRevision = draft.revision;
  draft.requestRefetch({ kind: "unread", cid });
}

function lastReadKey(draft: StateDraft, entry: ChannelEntry): string {
  const read = ownRead(draft, entry);
  return read?.last_read ? lastKeyOf(read.last_read) : "";
}

/** R-READ-4: the own user has read up to `at`, which was told at `told`; older tellings change nothing (D8). */
export function readUpTo(draft: StateDraft, cid: string, at: string, messageId?: string, told = at): void {
  const entry = draft.peek(cid);
  const moment = normalTime(at);
  const { me } = draft.context;
  if (!entry || moment === undefined || me === undefined) return;
  const meta = draft.peekMeta(cid);
  // The snapshot knows of it, and of a mark that was made after it (D9).
  if (draft.isReplay) return;
  const word = normalTime(told) ?? moment;
  if (word < meta.readStamp) return;
  const own = ownRead(draft, entry);
  const mine = draft.meta(cid);
  mine.readStamp = word;
  const taken = mine.localReadAt !== "" && moment >= mine.localReadAt;
  if (taken) mine.localReadAt = "";
  // An answer that was asked for before the mark was taken does not know of it.
  if (taken || compareTimes(at, own?.last_read) > 0) mine.readRevision = draft.revision;
  const key = lastKeyOf(at);
  const left = key < mine.snapshotEnd ? unreadHeld(draft, cid, key, mine.snapshotEnd) : [];
  // A mark up to an older message leaves the later ones of the provider's number unread: those held are a guess.
  if (mine.guessed || key < mine.snapshotEnd) requestRecount(draft, cid, mine.snapshotEnd);
  mine.guessed = false;
  const before = mine.snapshotCount;
  clearUpTo(draft, cid, key);
  mine.snapshotCount = Math.min(before, left.length);
  mine.known = new Set(left);
  if (!own || compareTimes(at, own.last_read) >= 0)
    setRead(draft, cid, {
      ...own,
      user: own?.user ?? draft.userOf(me) ?? { id: me },
      last_read: at,
      unread_messages: 0,
      ...(messageId !== undefined && { last_read_message_id: messageId }),
    });
  draft.entry(cid)!.heldUnread = false;
  show(draft, cid);
}

function clearUpTo(draft: StateDraft, cid: string, key: string): void {
  const mine = draft.meta(cid);
  mine.snapshotCount = 0;
  if (key > mine.snapshotEnd) mine.snapshotEnd = key;
  mine.newerKeys = after(mine.newerKeys, key);
  mine.mentions = after(mine.mentions, key);
}

/** R-READ-3: everything held has been seen; nothing is said about messages that have not arrived yet. */
export function markSeen(draft: StateDraft, cid: string): void {
  const entry = draft.peek(cid);
  if (!entry) return;
  const latest = latestOf(draft.sets(cid) ?? []);
  const newest = latest && [...latest.edit].findLast((message) => !isLocal(message));
  const meta = draft.meta(cid);
  if (newest) clearUpTo(draft, cid, orderKey(newest));
  else if (meta.snapshotCount + meta.newerKeys.length)
    clearUpTo(draft, cid, meta.newerKeys.at(-1) ?? meta.snapshotEnd);
  const own = ownRead(draft, entry);
  if (own && newest && compareTimes(newest.created_at, own.last_read) > 0) {
    meta.readRevision = draft.revision;
    setRead(draft, cid, {
      ...own,
      last_read: newest.created_at,
      last_read_message_id: newest.id,
      unread_messages: 0,
    });
  }
  if (newest) meta.localReadAt = normalTime(newest.created_at) ?? "";
  show(draft, cid);
}

/** R-READ-6: marked unread by hand; the only thing that lowers the read state (D8). */
export function markedUnread(
  draft: StateDraft,
  cid: string,
  event: {
    created_at: string;
    last_read_at?: string;
    last_read_message_id?: string;
    unread_messages?: number;
    first_unread_message_id?: string;
  },
): void {
  const { me } = draft.context;
  const held = draft.peek(cid);
  const moment = normalTime(event.created_at);
  if (!held || me === undefined || moment === undefined) return;
  if (draft.isReplay) {
    // The snapshot has its numbers; that it holds, nobody else tells (R-READ-6).
    if (compareTimes(ownRead(draft, held)?.last_read, event.last_read_at) === 0) hold(draft, cid, event);
    return;
  }
  const mine = draft.meta(cid);
  if (moment < mine.readStamp) return;
  mine.readStamp = moment;
  mine.localReadAt = "";
  const key = lastKeyOf(event.created_at);
  mine.snapshotEnd = key;
  mine.snapshotCount = event.unread_messages ?? 0;
  mine.floor = AFTER_ALL;
  mine.known = NONE;
  mine.newerKeys = after(mine.newerKeys, key);
  // Before the first message there is none that was read last.
  const { last_read_message_id: _last, ...own }: Partial<Read> = ownRead(draft, held) ?? {};
  setRead(draft, cid, {
    ...own,
    user: own.user ?? draft.userOf(me) ?? { id: me },
    last_read: event.last_read_at ?? own.last_read ?? "",
    unread_messages: mine.snapshotCount,
    ...(event.last_read_message_id !== undefined && { last_read_message_id: event.last_read_message_id }),
  });
  hold(draft, cid, event);
  mine.mentions = mentionsHeld(draft, cid);
  // Deletes that were told first may be newer than the mark.
  if (mine.snapshotCount > 0 && mine.deletedIds.size > 0) requestRecount(draft, cid, key);
  show(draft, cid);
}

function hold(draft: StateDraft, cid: string, event: { first_unread_message_id?: string }): void {
  const entry = draft.entry(cid)!;
  entry.heldUnread = true;
  if (event.first_unread_message_id) entry.firstUnreadId = event.first_unread_message_id;
}

/** What came with a number: the messages of an answer, the place of the oldest it knows of one by one, and of the newest it knows of at all. */
export interface SnapshotPage {
  from: string;
  to: string;
  messages: readonly Message[];
}

/** R-READ-1: the provider's number is the new snapshot; what was counted later than it knows stays counted. `since` = revision when the answer was asked for. */
export function snapshot(
  draft: StateDraft,
  cid: string,
  read: Read | undefined,
  page: SnapshotPage,
  since = Number.MAX_SAFE_INTEGER,
): void {
  const held = draft.peek(cid);
  if (!held) return;
  const mine = draft.meta(cid);
  const own = ownRead(draft, held);
  const behind = own !== undefined && read !== undefined && compareTimes(read.last_read, own.last_read) < 0;
  // An answer made before the newest own read must not take it back; after a break the provider knows better.
  const believed = mine.trustRevision > 0 && since >= mine.trustRevision;
  if (behind && !held.stale && !believed) return show(draft, cid);
  // Of two answers the older one may come last.
  if (!held.stale && page.to < mine.snapshotEnd && since < mine.snapshotRevision) return show(draft, cid);
  mine.snapshotRevision = draft.revision;
  mine.trustRevision = 0;
  if (page.to > mine.snapshotEnd || held.stale) mine.snapshotEnd = page.to;
  // The provider has taken the mark; its word of it was lost.
  if (mine.localReadAt !== "" && mine.localReadAt <= (normalTime(read?.last_read ?? "") ?? ""))
    mine.localReadAt = "";
  // A read mark that is on its way, or was taken while this answer was, is not taken back (D8): only what came after it is unread.
  const ahead =
    own !== undefined &&
    ((behind && since < mine.readRevision) ||
      (mine.localReadAt !== "" && mine.localReadAt > (normalTime(read?.last_read ?? "") ?? "")));
  const { here, gone } = countedBy(draft, held, page, read);
  mine.snapshotCount = Math.max(0, (read?.unread_messages ?? 0) - gone);
  mine.known = here;
  mine.floor = page.from;
  mine.guessed = false;
  mine.newerKeys = after(mine.newerKeys, mine.snapshotEnd);
  // What the break took away again was never told as deleted.
  if (held.stale && mine.newerKeys.length) {
    const latest = latestOf(draft.sets(cid) ?? []);
    const keys = new Set([...(latest?.edit ?? [])].map((message) => orderKey(message)));
    mine.newerKeys = mine.newerKeys.filter((key) => keys.has(key));
  }
  if (ahead) {
    // The held list is a guess: the number for the mark is asked for when the mark has arrived.
    const from = lastKeyOf(own.last_read);
    const left = unreadHeld(draft, cid, from, mine.snapshotEnd);
    mine.snapshotCount = Math.min(mine.snapshotCount, left.length);
    mine.known = new Set(left);
    mine.guessed = hasGap(draft, cid, from);
    if (mine.guessed && mine.localReadAt === "") requestRecount(draft, cid, mine.snapshotEnd);
  }
  if (read && !ahead) setRead(draft, cid, read);
  const moment = read && normalTime(read.last_read);
  if (moment && !held.heldUnread && (moment > mine.readStamp || held.stale)) mine.readStamp = moment;
  mine.mentions = mine.snapshotCount + mine.newerKeys.length === 0 ? [] : mentionsHeld(draft, cid);
  show(draft, cid);
  const entry = draft.entry(cid)!;
  if (entry.unread === 0) delete entry.firstUnreadId;
  else entry.firstUnreadId ??= firstUnreadHeld(draft, cid);
}

/** Which messages of an answer its number counts, and how many of them were deleted after it was made: the delete was told first. */
function countedBy(
  draft: StateDraft,
  { cid }: ChannelEntry,
  page: SnapshotPage,
  read: Read | undefined,
): { here: ReadonlySet<string>; gone: number } {
  const entry = draft.peek(cid)!;
  const from = read?.last_read ? lastKeyOf(read.last_read) : "";
  const all = page.messages.filter((message) => orderKey(message) > from && counts(draft, entry, message));
  const isHere = (message: Message): boolean =>
    !isGone(draft, cid, message) && find(draft, cid, message.id)?.type !== "deleted";
  const here = all.filter(isHere);
  return { here: new Set(here.map(({ id }) => id)), gone: all.length - here.length };
}

/** Whether the latest set begins after this place. */
function hasGap(draft: StateDraft, cid: string, from: string): boolean {
  const latest = latestOf(draft.sets(cid) ?? []);
  return latest !== undefined && latest.hasPrev && (latest.edit.firstKey ?? AFTER_ALL) > from;
}

/** Marks up to this moment will not be taken: what they left open is asked for. A later one stands (D8). */
export function dropLocalRead(draft: StateDraft, cid: string, upTo?: string): void {
  if (!draft.has(cid)) return;
  const mine = draft.meta(cid);
  if (upTo !== undefined && mine.localReadAt > (normalTime(upTo) ?? "")) return;
  mine.localReadAt = "";
  if (mine.guessed) requestRecount(draft, cid, mine.snapshotEnd);
  mine.guessed = false;
}

/** Nobody here knows how far the provider has it: it is asked, and what it says is believed. */
export function readUnknown(draft: StateDraft, cid: string): void {
  if (!draft.has(cid)) return;
  const meta = draft.meta(cid);
  meta.localReadAt = "";
  meta.guessed = false;
  meta.trustRevision = draft.revision;
  meta.recountRevision = draft.revision;
  draft.requestRefetch({ kind: "unread", cid });
}

/** Ids of messages in the latest set between these keys that count. */
function unreadHeld(draft: StateDraft, cid: string, from: string, upTo: string): string[] {
  const entry = draft.peek(cid)!;
  const latest = latestOf(draft.sets(cid) ?? []);
  const found: string[] = [];
  for (const message of latest?.edit ?? []) {
    const key = orderKey(message);
    if (key > from && key <= upTo && counts(draft, entry, message)) found.push(message.id);
  }
  return found;
}

function firstUnreadHeld(draft: StateDraft, cid: string): string | undefined {
  return unreadHeld(draft, cid, lastReadKey(draft, draft.peek(cid)!), AFTER_ALL)[0];
}

/** Keys of the unread mentions: those known before and those in what is held. */
function mentionsHeld(draft: StateDraft, cid: string): readonly string[] {
  const entry = draft.peek(cid)!;
  const from = lastReadKey(draft, entry);
  let keys = after(draft.peekMeta(cid).mentions, from);
  for (const set of draft.sets(cid) ?? [])
    for (const message of set.edit)
      if (mentionsMe(draft, message) && orderKey(message) > from && counts(draft, entry, message))
        keys = withKey(keys, orderKey(message));
  return keys;
}

/** Unread mentions that one search found (specification/reading.md §1). */
export function addMentions(draft: StateDraft, cid: string, messages: readonly Message[]): void {
  const entry = draft.peek(cid);
  if (!entry || entry.unread === 0) return;
  const from = lastReadKey(draft, entry);
  const mine = draft.meta(cid);
  for (const message of messages) {
    const key = orderKey(message);
    if (
      key > from &&
      !mine.deletedIds.has(message.id) &&
      mentionsMe(draft, message) &&
      counts(draft, entry, message)
    )
      mine.mentions = withKey(mine.mentions, key);
  }
  show(draft, cid);
}

/** R-READ-9: nothing is unread up to the cut, or at all. */
export function clearUnread(draft: StateDraft, cid: string, key?: string): void {
  const mine = draft.meta(cid);
  // A cut that lies back, and one for some members only, leaves later messages: only the provider knows which of them it counts.
  const unsure = key !== undefined && mine.snapshotCount > 0 && key < mine.snapshotEnd;
  clearUpTo(draft, cid, key ?? mine.newerKeys.at(-1) ?? mine.snapshotEnd);
  const entry = draft.entry(cid);
  if (!entry) return;
  if (unsure) requestRecount(draft, cid, mine.snapshotEnd);
  show(draft, cid);
  if (entry.unread === 0) {
    delete entry.firstUnreadId;
    entry.heldUnread = false;
  }
}

/** R-READ-5: another user's cursor only moves forward; his delivery likewise, by itself. */
export function applyReadOfOther(draft: StateDraft, cid: string, read: Read): void {
  const held = draft.peek(cid)?.read.get(read.user.id);
  if (!held) return draft.has(cid) ? setRead(draft, cid, read) : undefined;
  const isRead = compareTimes(read.last_read, held.last_read) > 0;
  const isDelivered = compareTimes(read.last_delivered_at, held.last_delivered_at) > 0;
  if (isRead || isDelivered)
    setRead(draft, cid, {
      ...held,
      ...(isRead && read),
      ...deliveryOf(isDelivered ? read : held),
    });
}

const deliveryOf = ({ last_delivered_at, last_delivered_message_id }: Read): Partial<Read> => ({
  ...(last_delivered_at !== undefined && { last_delivered_at }),
  ...(last_delivered_message_id !== undefined && { last_delivered_message_id }),
});

export function delivered(
  draft: StateDraft,
  cid: string,
  userId: string,
  at: string,
  messageId: string,
): void {
  const held = draft.peek(cid)?.read.get(userId);
  if (!held || compareTimes(at, held.last_delivered_at) <= 0) return;
  setRead(draft, cid, { ...held, last_delivered_at: at, last_delivered_message_id: messageId });
}
