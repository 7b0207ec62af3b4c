/** Unread and mentions as sets and maxima, never as counters: the provider's number, later ids, deleted ones (R-READ, decisions 22, D8, D9). */
import { isPending } from "../../wire/standing.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { Read } from "../../wire/channel.ts";
import type { Message } from "../../wire/message.ts";
import { find, inChannel, isGone } from "./messages.ts";
import type { ChannelEntry } from "../../model/state.ts";
import { isBlockedIn, isChannelMuted, isUserMuted } from "../../model/mutes.ts";
import { isLocal } from "../../model/message-state.ts";
import { lastKeyOf, placeKey } from "./timeline.ts";
import type { Work } from "./work.ts";

/** Later keys kept one by one; beyond this the older half is folded into the base. */
const COUNTED = 512;
/** Deletes remembered for the count. */
const DELETED = 1000;
const NONE: ReadonlySet<string> = new Set();
const COUNTING_TYPES: ReadonlySet<string> = new Set(["regular", "reply", "system"]);

/** R-READ-2: whether a message counts for the own user in this channel. */
export function counts(work: Work, entry: ChannelEntry, message: Message): boolean {
  const { me } = work.state;
  const { now } = work.facts;
  const author = message.user?.id;
  if (author === work.facts.me || message.silent || message.shadowed || !inChannel(message)) return false;
  if (!COUNTING_TYPES.has(message.type)) return false;
  const visibleTo = message.restricted_visibility;
  if (visibleTo?.length && !visibleTo.includes(work.facts.me ?? "")) return false;
  if (entry.channel.config?.read_events === false) return false;
  if (isPending(entry.membership)) return false;
  if (isChannelMuted(me, entry.cid, now)) return false;
  return !author || !(isUserMuted(me, author, now) || isBlockedIn(me, entry, author));
}

function mentionsMe(work: Work, message: Message): boolean {
  return message.mentioned_users?.some((user) => user.id === work.facts.me) ?? false;
}

/** Adds a key to an ascending list; the same list when it is in already. */
function withKey(keys: readonly string[], key: string): readonly string[] {
  const last = keys.at(-1);
  if (last === undefined || last < key) return [...keys, key];
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return keys[low] === key ? keys : keys.toSpliced(low, 0, key);
}

const after = (keys: readonly string[], key: string): readonly string[] =>
  keys.length === 0 || keys[0]! > key ? keys : keys.filter((each) => each > key);

function ownRead(work: Work, entry: ChannelEntry): Read | undefined {
  return work.facts.me === undefined ? undefined : entry.read.get(work.facts.me);
}

/** Writes the numbers of the books into the entry. */
function show(work: Work, cid: string): void {
  const book = work.peekBook(cid);
  const held = work.peek(cid);
  if (!held) return;
  const unread = book.base + book.counted.length;
  const mentions = book.mentions.length;
  const own = ownRead(work, held);
  if (held.unread === unread && held.mentions === mentions && (own?.unread_messages ?? unread) === unread)
    return;
  const entry = work.entry(cid)!;
  entry.unread = unread;
  entry.mentions = mentions;
  if (own && own.unread_messages !== unread) setRead(work, cid, { ...own, unread_messages: unread });
}

function setRead(work: Work, cid: string, read: Read): void {
  const entry = work.entry(cid)!;
  entry.read = new Map(entry.read).set(read.user.id, read);
}

/** A message arrived: it counts once, whatever the order or number of its arrivals (R-READ-2, R-READ-10). */
export function count(work: Work, cid: string, message: Message): void {
  const entry = work.peek(cid);
  if (!entry || !counts(work, entry, message)) return;
  const book = work.peekBook(cid);
  const key = placeKey(message);
  if (key <= book.boundary || book.deleted.has(message.id) || isGone(work, cid, message)) return;
  const counted = withKey(book.counted, key);
  if (counted === book.counted) return;
  const mine = work.book(cid);
  if (mine.base + mine.counted.length === 0 && !entry.firstUnreadId)
    work.entry(cid)!.firstUnreadId = message.id;
  mine.counted = counted;
  if (mentionsMe(work, message)) mine.mentions = withKey(mine.mentions, key);
  if (counted.length > COUNTED) {
    const folded = counted.length >> 1;
    mine.base += folded;
    // Which they were is not kept.
    mine.floor = "\uffff";
    mine.boundary = counted[folded - 1]!;
    mine.counted = counted.slice(folded);
  }
  show(work, cid);
}

/**
 * R-READ-7: a deleted message is taken off once. What came with the number says whether it counts the message; of older
 * ones nobody here knows, and the provider is asked when it is quiet (D9).
 */
export function uncount(work: Work, cid: string, message: Message): void {
  const entry = work.peek(cid);
  const { deleted, base, boundary, floor, known } = work.peekBook(cid);
  if (!entry || deleted.has(message.id)) return;
  const key = placeKey(message);
  const mine = work.book(cid);
  mine.deleted = remembered(deleted, message.id);
  mine.mentions = mine.mentions.filter((each) => each !== key);
  mine.counted = mine.counted.filter((each) => each !== key);
  const shown = { ...message, type: message.parent_id ? "reply" : "regular" } as Message;
  if (counts(work, entry, shown) && key > lastReadKey(work, entry)) {
    // The first frame may be older than a delete that only the log tells.
    work.want({ kind: "totals", cid: "" });
    if (base > 0 && known.has(message.id)) mine.base -= 1;
    else if (base > 0 && key <= boundary && key < floor) doubt(work, cid, key);
  }
  show(work, cid);
}

/** A message is back: whether it counts again, only the provider can say. */
export function recount(work: Work, cid: string, message: Message): void {
  if (work.peekBook(cid).deleted.has(message.id)) doubt(work, cid, placeKey(message));
}

function remembered(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids).add(id);
  if (next.size > DELETED) next.delete(next.values().next().value!);
  return next;
}

/** Only the provider can say what the base counts of the messages from `key` on. */
function doubt(work: Work, cid: string, key: string): void {
  if (key <= lastReadKey(work, work.peek(cid)!)) return;
  work.book(cid).doubtSerial = work.serial;
  work.want({ kind: "unread", cid });
}

function lastReadKey(work: Work, entry: ChannelEntry): string {
  const read = ownRead(work, entry);
  return read?.last_read ? lastKeyOf(read.last_read) : "";
}

/** R-READ-4: the own user has read up to `at`, which was told at `told`; older tellings change nothing (D8). */
export function readUpTo(work: Work, cid: string, at: string, messageId?: string, told = at): void {
  const entry = work.peek(cid);
  const moment = normalTime(at);
  const { me } = work.facts;
  if (!entry || moment === undefined || me === undefined) return;
  const book = work.peekBook(cid);
  // The snapshot knows of it, and of a mark that was made after it (D9).
  if (work.past) return;
  const word = normalTime(told) ?? moment;
  if (word < book.readStamp) return;
  const own = ownRead(work, entry);
  const mine = work.book(cid);
  mine.readStamp = word;
  const taken = mine.claimed !== "" && moment >= mine.claimed;
  if (taken) mine.claimed = "";
  // An answer that was asked for before the mark was taken does not know of it.
  if (taken || compareTimes(at, own?.last_read) > 0) mine.readSerial = work.serial;
  const key = lastKeyOf(at);
  const left = key < mine.boundary ? unreadHeld(work, cid, key, mine.boundary) : [];
  // A mark up to an older message leaves the later ones of the provider's number unread: those held are a guess.
  if (mine.guessed || key < mine.boundary) doubt(work, cid, mine.boundary);
  mine.guessed = false;
  const before = mine.base;
  clearUpTo(work, cid, key);
  mine.base = Math.min(before, left.length);
  mine.known = new Set(left);
  if (!own || compareTimes(at, own.last_read) >= 0)
    setRead(work, cid, {
      ...own,
      user: own?.user ?? work.userOf(me) ?? { id: me },
      last_read: at,
      unread_messages: 0,
      ...(messageId !== undefined && { last_read_message_id: messageId }),
    });
  work.entry(cid)!.heldUnread = false;
  show(work, cid);
}

function clearUpTo(work: Work, cid: string, key: string): void {
  const mine = work.book(cid);
  mine.base = 0;
  if (key > mine.boundary) mine.boundary = key;
  mine.counted = after(mine.counted, key);
  mine.mentions = after(mine.mentions, key);
}

/** R-READ-3: everything held has been seen; nothing is said about messages that have not arrived yet. */
export function seen(work: Work, cid: string): void {
  const entry = work.peek(cid);
  if (!entry) return;
  const latest = work.sets(cid)?.find((set) => set.isLatest);
  const newest = latest && [...latest.edit].findLast((message) => !isLocal(message));
  const book = work.book(cid);
  if (newest) clearUpTo(work, cid, placeKey(newest));
  else if (book.base + book.counted.length) clearUpTo(work, cid, book.counted.at(-1) ?? book.boundary);
  const own = ownRead(work, entry);
  if (own && newest && compareTimes(newest.created_at, own.last_read) > 0) {
    book.readSerial = work.serial;
    setRead(work, cid, {
      ...own,
      last_read: newest.created_at,
      last_read_message_id: newest.id,
      unread_messages: 0,
    });
  }
  if (newest) book.claimed = normalTime(newest.created_at) ?? "";
  show(work, cid);
}

/** R-READ-6: marked unread by hand; the only thing that lowers the read state (D8). */
export function markedUnread(
  work: Work,
  cid: string,
  event: {
    created_at: string;
    last_read_at?: string;
    last_read_message_id?: string;
    unread_messages?: number;
    first_unread_message_id?: string;
  },
): void {
  const { me } = work.facts;
  const held = work.peek(cid);
  const moment = normalTime(event.created_at);
  if (!held || me === undefined || moment === undefined) return;
  if (work.past) {
    // The snapshot has its numbers; that it holds, nobody else tells (R-READ-6).
    if (compareTimes(ownRead(work, held)?.last_read, event.last_read_at) === 0) hold(work, cid, event);
    return;
  }
  const mine = work.book(cid);
  if (moment < mine.readStamp) return;
  mine.readStamp = moment;
  mine.claimed = "";
  const key = lastKeyOf(event.created_at);
  mine.boundary = key;
  mine.base = event.unread_messages ?? 0;
  mine.floor = "\uffff";
  mine.known = NONE;
  mine.counted = after(mine.counted, key);
  // Before the first message there is none that was read last.
  const { last_read_message_id: _last, ...own }: Partial<Read> = ownRead(work, held) ?? {};
  setRead(work, cid, {
    ...own,
    user: own.user ?? work.userOf(me) ?? { id: me },
    last_read: event.last_read_at ?? own.last_read ?? "",
    unread_messages: mine.base,
    ...(event.last_read_message_id !== undefined && { last_read_message_id: event.last_read_message_id }),
  });
  hold(work, cid, event);
  mine.mentions = mentionsHeld(work, cid);
  // Deletes that were told first may be newer than the mark.
  if (mine.base > 0 && mine.deleted.size > 0) doubt(work, cid, key);
  show(work, cid);
}

function hold(work: Work, cid: string, event: { first_unread_message_id?: string }): void {
  const entry = work.entry(cid)!;
  entry.heldUnread = true;
  if (event.first_unread_message_id) entry.firstUnreadId = event.first_unread_message_id;
}

/** What came with a number: the messages of an answer, the place of the oldest it knows of one by one, and of the newest it knows of at all. */
export interface Told {
  from: string;
  to: string;
  messages: readonly Message[];
}

/** R-READ-1: the provider's number is the new base; what was counted later than it knows stays counted. `since` = serial when the answer was asked for. */
export function snapshot(
  work: Work,
  cid: string,
  read: Read | undefined,
  page: Told,
  since = Number.MAX_SAFE_INTEGER,
): void {
  const held = work.peek(cid);
  if (!held) return;
  const mine = work.book(cid);
  const own = ownRead(work, held);
  const behind = own !== undefined && read !== undefined && compareTimes(read.last_read, own.last_read) < 0;
  // An answer made before the newest own read must not take it back; after a break the provider knows better.
  const believed = mine.believeSerial > 0 && since >= mine.believeSerial;
  if (behind && !held.stale && !believed) return show(work, cid);
  // Of two answers the older one may come last.
  if (!held.stale && page.to < mine.boundary && since < mine.baseSerial) return show(work, cid);
  mine.baseSerial = work.serial;
  mine.believeSerial = 0;
  if (page.to > mine.boundary || held.stale) mine.boundary = page.to;
  // The provider has taken the mark; its word of it was lost.
  if (mine.claimed !== "" && mine.claimed <= (normalTime(read?.last_read ?? "") ?? "")) mine.claimed = "";
  // A read mark that is on its way, or was taken while this answer was, is not taken back (D8): only what came after it is unread.
  const ahead =
    own !== undefined &&
    ((behind && since < mine.readSerial) ||
      (mine.claimed !== "" && mine.claimed > (normalTime(read?.last_read ?? "") ?? "")));
  const { here, gone } = countedBy(work, held, page, read);
  mine.base = Math.max(0, (read?.unread_messages ?? 0) - gone);
  mine.known = here;
  mine.floor = page.from;
  mine.guessed = false;
  mine.counted = after(mine.counted, mine.boundary);
  // What the break took away again was never told as deleted.
  if (held.stale && mine.counted.length) {
    const latest = work.sets(cid)?.find((set) => set.isLatest);
    const keys = new Set([...(latest?.edit ?? [])].map((message) => placeKey(message)));
    mine.counted = mine.counted.filter((key) => keys.has(key));
  }
  if (ahead) {
    // The held list is a guess: the number for the mark is asked for when the mark has arrived.
    const from = lastKeyOf(own.last_read);
    const left = unreadHeld(work, cid, from, mine.boundary);
    mine.base = Math.min(mine.base, left.length);
    mine.known = new Set(left);
    mine.guessed = hasGap(work, cid, from);
    if (mine.guessed && mine.claimed === "") doubt(work, cid, mine.boundary);
  }
  if (read && !ahead) setRead(work, cid, read);
  const moment = read && normalTime(read.last_read);
  if (moment && !held.heldUnread && (moment > mine.readStamp || held.stale)) mine.readStamp = moment;
  mine.mentions = mine.base + mine.counted.length === 0 ? [] : mentionsHeld(work, cid);
  show(work, cid);
  const entry = work.entry(cid)!;
  if (entry.unread === 0) delete entry.firstUnreadId;
  else entry.firstUnreadId ??= firstUnreadHeld(work, cid);
}

/** Which messages of an answer its number counts, and how many of them were deleted after it was made: the delete was told first. */
function countedBy(
  work: Work,
  { cid }: ChannelEntry,
  page: Told,
  read: Read | undefined,
): { here: ReadonlySet<string>; gone: number } {
  const entry = work.peek(cid)!;
  const from = read?.last_read ? lastKeyOf(read.last_read) : "";
  const all = page.messages.filter((message) => placeKey(message) > from && counts(work, entry, message));
  const isHere = (message: Message): boolean =>
    !isGone(work, cid, message) && find(work, cid, message.id)?.type !== "deleted";
  const here = all.filter(isHere);
  return { here: new Set(here.map(({ id }) => id)), gone: all.length - here.length };
}

/** Whether the latest set begins after this place. */
function hasGap(work: Work, cid: string, from: string): boolean {
  const latest = work.sets(cid)?.find((set) => set.isLatest);
  return latest !== undefined && latest.hasPrev && (latest.edit.firstKey ?? "\uffff") > from;
}

/** Marks up to this moment will not be taken: what they left open is asked for. A later one stands (D8). */
export function dropClaim(work: Work, cid: string, upTo?: string): void {
  if (!work.has(cid)) return;
  const mine = work.book(cid);
  if (upTo !== undefined && mine.claimed > (normalTime(upTo) ?? "")) return;
  mine.claimed = "";
  if (mine.guessed) doubt(work, cid, mine.boundary);
  mine.guessed = false;
}

/** Nobody here knows how far the provider has it: it is asked, and what it says is believed. */
export function readUnknown(work: Work, cid: string): void {
  if (!work.has(cid)) return;
  Object.assign(work.book(cid), {
    claimed: "",
    guessed: false,
    believeSerial: work.serial,
    doubtSerial: work.serial,
  });
  work.want({ kind: "unread", cid });
}

/** Ids of messages in the latest set between these keys that count. */
function unreadHeld(work: Work, cid: string, from: string, upTo: string): string[] {
  const entry = work.peek(cid)!;
  const latest = work.sets(cid)?.find((set) => set.isLatest);
  const found: string[] = [];
  for (const message of latest?.edit ?? []) {
    const key = placeKey(message);
    if (key > from && key <= upTo && counts(work, entry, message)) found.push(message.id);
  }
  return found;
}

function firstUnreadHeld(work: Work, cid: string): string | undefined {
  const entry = work.peek(cid)!;
  const from = lastReadKey(work, entry);
  const latest = work.sets(cid)?.find((set) => set.isLatest);
  if (!latest) return undefined;
  for (const message of latest.edit)
    if (placeKey(message) > from && counts(work, entry, message)) return message.id;
  return undefined;
}

/** Keys of the unread mentions: those known before and those in what is held. */
function mentionsHeld(work: Work, cid: string): readonly string[] {
  const entry = work.peek(cid)!;
  const from = lastReadKey(work, entry);
  let keys = after(work.peekBook(cid).mentions, from);
  for (const sets of work.places(cid).slice(0, 1))
    for (const set of sets)
      for (const message of set.edit)
        if (mentionsMe(work, message) && placeKey(message) > from && counts(work, entry, message))
          keys = withKey(keys, placeKey(message));
  return keys;
}

/** Decisions 22: unread mentions that one search found. */
export function addMentions(work: Work, cid: string, messages: readonly Message[]): void {
  const entry = work.peek(cid);
  if (!entry || entry.unread === 0) return;
  const from = lastReadKey(work, entry);
  const mine = work.book(cid);
  for (const message of messages) {
    const key = placeKey(message);
    if (
      key > from &&
      !mine.deleted.has(message.id) &&
      mentionsMe(work, message) &&
      counts(work, entry, message)
    )
      mine.mentions = withKey(mine.mentions, key);
  }
  show(work, cid);
}

/** R-READ-9: nothing is unread up to the cut, or at all. */
export function clear(work: Work, cid: string, key?: string): void {
  const mine = work.book(cid);
  // A cut that lies back, and one for some members only, leaves later messages: only the provider knows which of them it counts.
  const unsure = key !== undefined && mine.base > 0 && key < mine.boundary;
  clearUpTo(work, cid, key ?? mine.counted.at(-1) ?? mine.boundary);
  const entry = work.entry(cid);
  if (!entry) return;
  if (unsure) doubt(work, cid, mine.boundary);
  show(work, cid);
  if (entry.unread === 0) {
    delete entry.firstUnreadId;
    entry.heldUnread = false;
  }
}

/** R-READ-5: another user's cursor only moves forward; his delivery likewise. */
export function otherRead(work: Work, cid: string, read: Read): void {
  const entry = work.peek(cid);
  if (!entry) return;
  const held = entry.read.get(read.user.id);
  if (held && compareTimes(read.last_read, held.last_read) <= 0 && held.last_read === read.last_read) return;
  if (held && compareTimes(read.last_read, held.last_read) < 0) return;
  setRead(work, cid, { ...held, ...read });
}

export function delivered(work: Work, cid: string, userId: string, at: string, messageId: string): void {
  const held = work.peek(cid)?.read.get(userId);
  if (!held || compareTimes(at, held.last_delivered_at) <= 0) return;
  setRead(work, cid, { ...held, last_delivered_at: at, last_delivered_message_id: messageId });
}
