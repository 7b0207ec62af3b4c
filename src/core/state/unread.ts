/** Unread and mention numbers, computed from the provider's number and sets of later and deleted messages, never counted up (R-READ, specification/reading.md §1, D8, D9). */
import { isShownTo } from "../../model/audience.ts";
import { isPending } from "../../model/membership.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { Read } from "../../wire/entities/channel.ts";
import type { Message } from "../../wire/entities/message.ts";
import { findLoaded, inChannel, isGone } from "./messages.ts";
import type { ChannelEntry } from "../../model/state.ts";
import { isBlockedIn, isChannelMuted, isUserMuted } from "../../model/mutes.ts";
import { isLocal } from "../../model/message-state.ts";
import { latestOf } from "./sets.ts";
import { lastKeyOf, lowerBound, orderKey } from "./timeline.ts";
import type { ChannelMeta } from "./internal-state.ts";
import type { StateDraft } from "./state-draft.ts";

/*
 * The unread number of a channel is the provider's number up to `snapshotEnd` plus the later messages (`newerKeys`):
 *
 *            a delete that may be counted, a read mark or truncation below `snapshotEnd`,
 *            an undeleted message, a read mark with an unknown result
 *    exact ───────────────────────────────────────────────────────────▶ refetching
 *      │  ▲                                                                │   ▲
 *      │  └────── an answer requested since then (`applySnapshot`) ────────┘   │
 *      │                                                                       │
 *      └───────────────────────────────▶ estimated ────────────────────────────┘
 *         an answer without the user's             the mark is accepted or refused
 *         latest read mark, and a gap after it
 *
 * A read mark of the user, which the next answers must not undo:
 *
 *    none ── `markSeen` ──▶ in flight (`localReadAt`) ──▶ accepted: an event or an answer contains it (`applyOwnRead`, `applySnapshot`)
 *                                                    ├──▶ refused (`cancelLocalRead`)
 *                                                    └──▶ unknown (`markReadUnknown`): the next answer decides
 *
 * What is kept for it in `ChannelMeta`, and what would go wrong without it (each has a test in tests/core/state or tests/sim):
 *
 *    snapshotCount, snapshotEnd   the provider's number, and the newest key in it
 *    newerKeys                    later messages, as keys: counted once, however often they arrive
 *    countedIds                   a delete of one of these is subtracted, instead of asking for the number again
 *    deletedIds                   a message whose delete arrives first would count for ever
 *    mentions                     the mentions among them
 *    snapshotRevision             the older of two answers may arrive last
 *    recountRevision              an answer requested before the doubt does not settle it
 *    isEstimate                   the number was guessed beside a gap, and is fetched once the mark has arrived
 *    localReadAt, readRevision    a mark in flight, or accepted since the request, is not undone by an answer
 *    readUnknownRevision          after a mark without an answer the next number may be lower
 *    readEventAt                  events of reading arrive in any order; older ones change nothing
 */

/** Most later keys; beyond this the older half is added to the snapshot number. */
const MAX_NEWER_KEYS = 512;
/** Most remembered ids of deleted messages. */
const MAX_DELETED_IDS = 1000;
const NONE: ReadonlySet<string> = new Set();
/** Greater than every key. */
const MAX_KEY = "\uffff";
const COUNTING_TYPES: ReadonlySet<string> = new Set(["regular", "reply", "system"]);

/** R-READ-2: whether a message counts as unread for the current user. */
function isCounted(draft: StateDraft, entry: ChannelEntry, message: Message): boolean {
  const { me } = draft.state;
  const { now } = draft.context;
  const author = message.user?.id;
  if (author === draft.context.me || message.silent || message.shadowed || !inChannel(message)) return false;
  if (!COUNTING_TYPES.has(message.type)) return false;
  if (!isShownTo(message, draft.context.me ?? "")) return false;
  if (entry.channel.config?.read_events === false) return false;
  if (isPending(entry.membership)) return false;
  if (isChannelMuted(me, entry.cid, now)) return false;
  return !author || !(isUserMuted(me, author, now) || isBlockedIn(me, entry, author));
}

function mentionsMe(draft: StateDraft, message: Message): boolean {
  return message.mentioned_users?.some((user) => user.id === draft.context.me) ?? false;
}

/** Adds a key to an ascending list; the same list when it contains the key already. */
function withKey(keys: readonly string[], key: string): readonly string[] {
  const last = keys.at(-1);
  if (last === undefined || last < key) return [...keys, key];
  const at = lowerBound(keys, key);
  return keys[at] === key ? keys : keys.toSpliced(at, 0, key);
}

const keysAfter = (keys: readonly string[], key: string): readonly string[] =>
  keys.length === 0 || keys[0]! > key ? keys : keys.filter((each) => each > key);

function readOfMe(draft: StateDraft, entry: ChannelEntry): Read | undefined {
  return draft.context.me === undefined ? undefined : entry.read.get(draft.context.me);
}

/** Updates the numbers of the channel entry from its meta. */
function publishCounts(draft: StateDraft, cid: string): void {
  const meta = draft.peekMeta(cid);
  const held = draft.peek(cid);
  if (!held) return;
  const unread = meta.snapshotCount + meta.newerKeys.length;
  const mentions = meta.mentions.length;
  const own = readOfMe(draft, held);
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

/** Counts an arrived message once, however often and in whatever order it arrives (R-READ-2, R-READ-10). */
export function countUnread(draft: StateDraft, cid: string, message: Message): void {
  const entry = draft.peek(cid);
  if (!entry || !isCounted(draft, entry, message)) return;
  const current = draft.peekMeta(cid);
  const key = orderKey(message);
  if (key <= current.snapshotEnd || current.deletedIds.has(message.id) || isGone(draft, cid, message)) return;
  const counted = withKey(current.newerKeys, key);
  if (counted === current.newerKeys) return;
  const meta = draft.meta(cid);
  if (meta.snapshotCount + meta.newerKeys.length === 0 && !entry.firstUnreadId)
    draft.entry(cid)!.firstUnreadId = message.id;
  meta.newerKeys = counted;
  if (mentionsMe(draft, message)) meta.mentions = withKey(meta.mentions, key);
  if (counted.length > MAX_NEWER_KEYS) {
    const folded = counted.length >> 1;
    meta.snapshotCount += folded;
    meta.snapshotEnd = counted[folded - 1]!;
    meta.newerKeys = counted.slice(folded);
  }
  publishCounts(draft, cid);
}

/**
 * R-READ-7: subtracts a deleted message once. Of the messages in `countedIds` it is known that the number counts them; for
 * others up to `snapshotEnd` the number is fetched again (D9).
 */
export function uncountDeleted(draft: StateDraft, cid: string, message: Message): void {
  const entry = draft.peek(cid);
  const { deletedIds, snapshotCount, snapshotEnd, countedIds } = draft.peekMeta(cid);
  if (!entry || deletedIds.has(message.id)) return;
  const key = orderKey(message);
  const meta = draft.meta(cid);
  meta.deletedIds = withDeletedId(deletedIds, message.id);
  meta.mentions = meta.mentions.filter((each) => each !== key);
  meta.newerKeys = meta.newerKeys.filter((each) => each !== key);
  const shown = { ...message, type: message.parent_id ? "reply" : "regular" } as Message;
  if (isCounted(draft, entry, shown) && key > lastReadKey(draft, entry)) {
    // The totals of the first frame may be older than a delete from the event log.
    draft.requestRefetch({ kind: "totals", cid: "" });
    if (snapshotCount > 0 && countedIds.has(message.id)) meta.snapshotCount -= 1;
    else if (snapshotCount > 0 && key <= snapshotEnd) requestRecount(draft, cid, key);
  }
  publishCounts(draft, cid);
}

/** A message was undeleted: only the provider knows whether it counts again. */
export function recountUnread(draft: StateDraft, cid: string, message: Message): void {
  if (draft.peekMeta(cid).deletedIds.has(message.id)) requestRecount(draft, cid, orderKey(message));
}

function withDeletedId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids).add(id);
  if (next.size > MAX_DELETED_IDS) next.delete(next.values().next().value!);
  return next;
}

/** Fetches the number again, unless messages from `key` on are read anyway. */
function requestRecount(draft: StateDraft, cid: string, key: string): void {
  if (key <= lastReadKey(draft, draft.peek(cid)!)) return;
  askAgain(draft, cid);
}

function askAgain(draft: StateDraft, cid: string): void {
  draft.meta(cid).recountRevision = draft.revision;
  draft.requestRefetch({ kind: "unread", cid });
}

function lastReadKey(draft: StateDraft, entry: ChannelEntry): string {
  const read = readOfMe(draft, entry);
  return read?.last_read ? lastKeyOf(read.last_read) : "";
}

/**
 * The time up to which an own event of reading counts: its own, unless loaded messages between the one it names and that time would count as
 * unread. A provider may date the event of a mark up to an older message with the time at which it was made.
 */
export function ownReadTime(
  draft: StateDraft,
  cid: string,
  at: string,
  messageId: string | undefined,
): string {
  const last = messageId === undefined || !draft.has(cid) ? undefined : findLoaded(draft, cid, messageId);
  if (!last || isLocal(last)) return at;
  return loadedUnreadIds(draft, cid, orderKey(last), lastKeyOf(at)).length > 0 ? last.created_at : at;
}

/** R-READ-4: the current user has read up to `at`, by an event at `eventAt`; older events change nothing (D8). */
export function applyOwnRead(
  draft: StateDraft,
  cid: string,
  at: string,
  messageId?: string,
  eventAt = at,
): void {
  const entry = draft.peek(cid);
  const moment = normalTime(at);
  const { me } = draft.context;
  if (!entry || moment === undefined || me === undefined) return;
  const current = draft.peekMeta(cid);
  // The snapshot includes it and any later mark (D9), or is older than both: then the provider is asked again.
  if (draft.isReplay)
    return compareTimes(at, readOfMe(draft, entry)?.last_read) > 0 ? askAgain(draft, cid) : undefined;
  const eventTime = normalTime(eventAt) ?? moment;
  if (eventTime < current.readEventAt) return;
  const own = readOfMe(draft, entry);
  const meta = draft.meta(cid);
  meta.readEventAt = eventTime;
  const isAccepted = meta.localReadAt !== "" && moment >= meta.localReadAt;
  if (isAccepted) meta.localReadAt = "";
  // An answer requested before the mark was accepted does not include it.
  if (isAccepted || compareTimes(at, own?.last_read) > 0) meta.readRevision = draft.revision;
  const key = lastKeyOf(at);
  const unreadIds = key < meta.snapshotEnd ? loadedUnreadIds(draft, cid, key, meta.snapshotEnd) : [];
  // A mark up to an older message leaves later ones unread; how many is estimated from the loaded messages.
  if (meta.isEstimate || key < meta.snapshotEnd) requestRecount(draft, cid, meta.snapshotEnd);
  meta.isEstimate = false;
  const before = meta.snapshotCount;
  clearUpTo(draft, cid, key);
  meta.snapshotCount = Math.min(before, unreadIds.length);
  meta.countedIds = new Set(unreadIds);
  if (!own || compareTimes(at, own.last_read) >= 0)
    setRead(draft, cid, {
      ...own,
      user: own?.user ?? draft.userOf(me) ?? { id: me },
      last_read: at,
      unread_messages: 0,
      ...(messageId !== undefined && { last_read_message_id: messageId }),
    });
  draft.entry(cid)!.keepsUnread = false;
  publishCounts(draft, cid);
  // A mark of this client leaves the line where it is while the user reads.
  if (!isAccepted && draft.peek(cid)!.unread < entry.unread) placeNewLine(draft, cid);
}

/** R-READ-4: the line of new messages stands above the first unread one, after a mark by another device of the user, too. */
function placeNewLine(draft: StateDraft, cid: string): void {
  const entry = draft.entry(cid)!;
  const first = entry.unread === 0 ? undefined : firstUnreadId(draft, cid);
  if (first === undefined) delete entry.firstUnreadId;
  else entry.firstUnreadId = first;
}

/** An older page may contain unread messages before the first one that was loaded. */
export function moveLineUp(draft: StateDraft, cid: string): void {
  const entry = draft.peek(cid)!;
  const line = entry.firstUnreadId === undefined ? undefined : findLoaded(draft, cid, entry.firstUnreadId);
  if (entry.unread === 0 || !line) return;
  const from = lastReadKey(draft, entry);
  const isUnread = (message: Message): boolean =>
    orderKey(message) > from && isCounted(draft, entry, message);
  const firsts = (draft.sets(cid) ?? []).flatMap((set) => [...set.edit].find(isUnread) ?? []);
  const first = firsts.reduce((one, other) => (orderKey(other) < orderKey(one) ? other : one), line);
  if (first.id !== line.id) draft.entry(cid)!.firstUnreadId = first.id;
}

function clearUpTo(draft: StateDraft, cid: string, key: string): void {
  const meta = draft.meta(cid);
  meta.snapshotCount = 0;
  if (key > meta.snapshotEnd) meta.snapshotEnd = key;
  meta.newerKeys = keysAfter(meta.newerKeys, key);
  meta.mentions = keysAfter(meta.mentions, key);
}

/** R-READ-3: all loaded messages have been seen; messages that have not arrived yet are not affected. */
export function markSeen(draft: StateDraft, cid: string): void {
  const entry = draft.peek(cid);
  if (!entry) return;
  const latest = latestOf(draft.sets(cid) ?? []);
  const newest = latest && [...latest.edit].findLast((message) => !isLocal(message));
  const meta = draft.meta(cid);
  if (newest) clearUpTo(draft, cid, orderKey(newest));
  else if (meta.snapshotCount + meta.newerKeys.length)
    clearUpTo(draft, cid, meta.newerKeys.at(-1) ?? meta.snapshotEnd);
  const own = readOfMe(draft, entry);
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
  publishCounts(draft, cid);
}

/** R-READ-3: a mark up to an older message is on its way; what it leaves unread is counted when it is accepted. */
export function markSeenUpTo(draft: StateDraft, cid: string, at: string): void {
  const moment = normalTime(at);
  if (moment === undefined || !draft.has(cid)) return;
  const meta = draft.meta(cid);
  if (moment > meta.localReadAt) meta.localReadAt = moment;
}

/** R-READ-6: marked unread by the user; the only event that lowers the read state (D8). */
export function applyMarkUnread(
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
  const lastRead = readOfMe(draft, held)?.last_read;
  if (draft.isReplay) {
    // The snapshot has its numbers already, but not that the channel stays unread while it is open (R-READ-6).
    if (compareTimes(lastRead, event.last_read_at) === 0) return holdUnread(draft, cid, event);
    // The user has read on since.
    if (compareTimes(lastRead, event.created_at) > 0) return;
  }
  const meta = draft.meta(cid);
  if (moment < meta.readEventAt) return;
  meta.readEventAt = moment;
  meta.localReadAt = "";
  const key = lastKeyOf(event.created_at);
  meta.snapshotEnd = key;
  meta.snapshotCount = event.unread_messages ?? 0;
  meta.countedIds = NONE;
  meta.newerKeys = keysAfter(meta.newerKeys, key);
  // Marked unread from the first message: there is no last read message.
  const { last_read_message_id: _last, ...own }: Partial<Read> = readOfMe(draft, held) ?? {};
  setRead(draft, cid, {
    ...own,
    user: own.user ?? draft.userOf(me) ?? { id: me },
    last_read: event.last_read_at ?? own.last_read ?? "",
    unread_messages: meta.snapshotCount,
    ...(event.last_read_message_id !== undefined && { last_read_message_id: event.last_read_message_id }),
  });
  holdUnread(draft, cid, event);
  meta.mentions = unreadMentionKeys(draft, cid);
  // Deletes that arrived earlier may be newer than the mark.
  if (meta.snapshotCount > 0 && meta.deletedIds.size > 0) requestRecount(draft, cid, key);
  publishCounts(draft, cid);
}

function holdUnread(draft: StateDraft, cid: string, event: { first_unread_message_id?: string }): void {
  const entry = draft.entry(cid)!;
  entry.keepsUnread = true;
  if (event.first_unread_message_id) entry.firstUnreadId = event.first_unread_message_id;
}

/** The messages of an answer, the key from which they are complete, and the newest key that its unread number includes. */
export interface SnapshotPage {
  from: string;
  to: string;
  messages: readonly Message[];
}

/** R-READ-1: the provider's number becomes the new snapshot; later messages stay counted. `since` = revision at the request. */
export function applySnapshot(
  draft: StateDraft,
  cid: string,
  read: Read | undefined,
  page: SnapshotPage,
  since = Number.MAX_SAFE_INTEGER,
): void {
  const held = draft.peek(cid);
  if (!held) return;
  const meta = draft.meta(cid);
  const own = readOfMe(draft, held);
  const behind = own !== undefined && read !== undefined && compareTimes(read.last_read, own.last_read) < 0;
  // An answer from before the user's latest read mark must not undo it; after a lost connection the provider decides.
  const acceptsLower = meta.readUnknownRevision > 0 && since >= meta.readUnknownRevision;
  if (behind && !held.stale && !acceptsLower) return publishCounts(draft, cid);
  // The older of two answers may arrive last.
  if (!held.stale && page.to < meta.snapshotEnd && since < meta.snapshotRevision)
    return publishCounts(draft, cid);
  meta.snapshotRevision = draft.revision;
  meta.readUnknownRevision = 0;
  if (page.to > meta.snapshotEnd || held.stale) meta.snapshotEnd = page.to;
  // The provider has accepted the mark; the answer to it was lost.
  if (meta.localReadAt !== "" && meta.localReadAt <= (normalTime(read?.last_read ?? "") ?? ""))
    meta.localReadAt = "";
  // A read mark that is in flight, or was accepted since the request, is not undone (D8): only later messages are unread.
  const isMarkNewer =
    own !== undefined &&
    ((behind && since < meta.readRevision) ||
      (meta.localReadAt !== "" && meta.localReadAt > (normalTime(read?.last_read ?? "") ?? "")));
  const { counted, deletedCount } = countedBy(draft, held, page, read);
  meta.snapshotCount = Math.max(0, (read?.unread_messages ?? 0) - deletedCount);
  meta.countedIds = counted;
  meta.isEstimate = false;
  meta.newerKeys = keysAfter(meta.newerKeys, meta.snapshotEnd);
  // Messages that were deleted while the connection was lost had no event.
  if (held.stale && meta.newerKeys.length) {
    const latest = latestOf(draft.sets(cid) ?? []);
    const keys = new Set([...(latest?.edit ?? [])].map((message) => orderKey(message)));
    meta.newerKeys = meta.newerKeys.filter((key) => keys.has(key));
  }
  if (isMarkNewer) {
    // An estimate from the loaded messages: the number is fetched once the mark has arrived.
    const from = lastKeyOf(own.last_read);
    const unreadIds = loadedUnreadIds(draft, cid, from, meta.snapshotEnd);
    meta.snapshotCount = Math.min(meta.snapshotCount, unreadIds.length);
    meta.countedIds = new Set(unreadIds);
    meta.isEstimate = hasGap(draft, cid, from);
    if (meta.isEstimate && meta.localReadAt === "") requestRecount(draft, cid, meta.snapshotEnd);
  }
  if (read && !isMarkNewer) setRead(draft, cid, read);
  const moment = read && normalTime(read.last_read);
  if (moment && !held.keepsUnread && (moment > meta.readEventAt || held.stale)) meta.readEventAt = moment;
  forgetMissingMentions(meta, page);
  meta.mentions = meta.snapshotCount + meta.newerKeys.length === 0 ? [] : unreadMentionKeys(draft, cid);
  publishCounts(draft, cid);
  const { unread, firstUnreadId: line } = draft.peek(cid)!;
  const isReadElsewhere = read !== undefined && compareTimes(read.last_read, own?.last_read) > 0;
  if (unread === 0 || line === undefined || isReadElsewhere) placeNewLine(draft, cid);
}

/** The messages of an answer that its number counts, and how many of them were deleted since by an event that arrived first. */
function countedBy(
  draft: StateDraft,
  { cid }: ChannelEntry,
  page: SnapshotPage,
  read: Read | undefined,
): { counted: ReadonlySet<string>; deletedCount: number } {
  const entry = draft.peek(cid)!;
  const from = read?.last_read ? lastKeyOf(read.last_read) : "";
  const all = page.messages.filter((message) => orderKey(message) > from && isCounted(draft, entry, message));
  const isThere = (message: Message): boolean =>
    !isGone(draft, cid, message) && findLoaded(draft, cid, message.id)?.type !== "deleted";
  const counted = all.filter(isThere);
  return { counted: new Set(counted.map(({ id }) => id)), deletedCount: all.length - counted.length };
}

/** Whether the latest set begins after this key. */
function hasGap(draft: StateDraft, cid: string, from: string): boolean {
  const latest = latestOf(draft.sets(cid) ?? []);
  return latest !== undefined && latest.hasPrev && (latest.edit.firstKey ?? MAX_KEY) > from;
}

/** Gives up read marks up to this time and refetches an estimated number. A later mark stays (D8). */
export function cancelLocalRead(draft: StateDraft, cid: string, upTo?: string): void {
  if (!draft.has(cid)) return;
  const meta = draft.meta(cid);
  if (upTo !== undefined && meta.localReadAt > (normalTime(upTo) ?? "")) return;
  meta.localReadAt = "";
  if (meta.isEstimate) requestRecount(draft, cid, meta.snapshotEnd);
  meta.isEstimate = false;
}

/** The read state at the provider is unknown: refetches it and accepts whatever it is. */
export function markReadUnknown(draft: StateDraft, cid: string): void {
  if (!draft.has(cid)) return;
  const meta = draft.meta(cid);
  meta.localReadAt = "";
  meta.isEstimate = false;
  meta.readUnknownRevision = draft.revision;
  askAgain(draft, cid);
}

/** Ids of counted messages in the latest set between these keys. */
function loadedUnreadIds(draft: StateDraft, cid: string, from: string, upTo: string): string[] {
  const entry = draft.peek(cid)!;
  const latest = latestOf(draft.sets(cid) ?? []);
  const found: string[] = [];
  for (const message of latest?.edit ?? []) {
    const key = orderKey(message);
    if (key > from && key <= upTo && isCounted(draft, entry, message)) found.push(message.id);
  }
  return found;
}

function firstUnreadId(draft: StateDraft, cid: string): string | undefined {
  return loadedUnreadIds(draft, cid, lastReadKey(draft, draft.peek(cid)!), MAX_KEY)[0];
}

/** Keys of unread mentions: known ones and those in loaded messages. */
function unreadMentionKeys(draft: StateDraft, cid: string): readonly string[] {
  const entry = draft.peek(cid)!;
  const from = lastReadKey(draft, entry);
  let keys = keysAfter(draft.peekMeta(cid).mentions, from);
  for (const set of draft.sets(cid) ?? [])
    for (const message of set.edit)
      if (mentionsMe(draft, message) && orderKey(message) > from && isCounted(draft, entry, message))
        keys = withKey(keys, orderKey(message));
  return keys;
}

/** Forgets mentions in the range of an answer that it does not contain: they were deleted without an event. */
function forgetMissingMentions(
  meta: Pick<ChannelMeta, "mentions">,
  { from, to, messages }: SnapshotPage,
): void {
  const answered = new Set(messages.map((message) => orderKey(message)));
  meta.mentions = meta.mentions.filter((key) => key < from || key > to || answered.has(key));
}

/** Adds unread mentions found by a search (specification/reading.md §1). */
export function addMentions(draft: StateDraft, cid: string, messages: readonly Message[]): void {
  const entry = draft.peek(cid);
  if (!entry || entry.unread === 0) return;
  const from = lastReadKey(draft, entry);
  const meta = draft.meta(cid);
  for (const message of messages) {
    const key = orderKey(message);
    if (
      key > from &&
      !meta.deletedIds.has(message.id) &&
      mentionsMe(draft, message) &&
      isCounted(draft, entry, message)
    )
      meta.mentions = withKey(meta.mentions, key);
  }
  publishCounts(draft, cid);
}

/** R-READ-9: clears the unread messages up to this key, or all. */
export function clearUnread(draft: StateDraft, cid: string, key?: string): void {
  const meta = draft.meta(cid);
  // Messages after the truncation remain: only the provider knows which of them its number counts.
  const isUncertain = key !== undefined && meta.snapshotCount > 0 && key < meta.snapshotEnd;
  clearUpTo(draft, cid, key ?? meta.newerKeys.at(-1) ?? meta.snapshotEnd);
  const entry = draft.entry(cid);
  if (!entry) return;
  if (isUncertain) requestRecount(draft, cid, meta.snapshotEnd);
  publishCounts(draft, cid);
  if (entry.unread === 0) {
    delete entry.firstUnreadId;
    entry.keepsUnread = false;
  }
}

/** R-READ-5: another user's read cursor only moves forward, and so does their delivery cursor. */
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

export function applyDelivery(
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
