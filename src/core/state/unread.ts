/** Unread and mentions as sets and maxima, never as counters: the provider's number, later ids, deleted ones (R-READ, decisions 22, D8, D9). */
import { isPending } from "../../wire/standing.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { Read } from "../../wire/channel.ts";
import type { Message } from "../../wire/message.ts";
import { inChannel, isGone } from "./messages.ts";
import type { ChannelEntry } from "./model.ts";
import { isBlockedIn, isChannelMuted, isUserMuted } from "./mutes.ts";
import { isLocal } from "./sets.ts";
import { lastKeyOf, placeKey } from "./timeline.ts";
import type { Work } from "./work.ts";
import type { Book, Counted, Lowered } from "./world.ts";

/** Later keys kept one by one; beyond this the older half is folded into the base. */
const COUNTED = 512;
/** Deletes remembered for the count. */
const LOWERED = 1000;
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
  const unread = Math.max(0, book.base - takenOff(work, held)) + book.counted.length;
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
  if (key <= book.boundary || book.lowered.has(message.id) || isGone(work, cid, message)) return;
  const counted = withKey(book.counted, key);
  if (counted === book.counted) return;
  const mine = work.book(cid);
  if (mine.base + mine.counted.length === 0 && !entry.firstUnreadId)
    work.entry(cid)!.firstUnreadId = message.id;
  mine.counted = counted;
  if (mentionsMe(work, message)) mine.mentions = withKey(mine.mentions, key);
  if (counted.length > COUNTED) {
    const folded = counted.length >> 1;
    const boundary = counted[folded - 1]!;
    mine.base = Math.max(0, mine.base - takenOff(work, entry)) + folded;
    mine.boundary = boundary;
    mine.lowered = closeLowered(mine.lowered, boundary);
    mine.counted = counted.slice(folded);
  }
  show(work, cid);
}

/** R-READ-7: a message deleted at `at` is taken off once; `wasDeleted` = it was held as deleted before. */
export function uncount(work: Work, cid: string, message: Message, at: string, wasDeleted: boolean): void {
  const entry = work.peek(cid);
  const book = work.peekBook(cid);
  const before = book.lowered.get(message.id);
  let moment = normalTime(at) ?? "";
  const since = wasDeleted && !before ? normalTime(message.deleted_at ?? "") : undefined;
  if (since !== undefined && since < moment) moment = since;
  // A hard delete after a soft one takes nothing more off: the first moment counts.
  if (!entry || (before && before.at <= moment)) return;
  const key = placeKey(message);
  const shown = { ...message, type: message.parent_id ? "reply" : "regular" } as Message;
  const counting = counts(work, entry, shown);
  const counted = before?.counted ?? (!wasDeleted && counting);
  const open = counting && isInBase(work, book, message.id, key, moment, !counted);
  const mine = work.book(cid);
  const lowered = new Map(book.lowered).set(message.id, { at: moment, key, counted, worth: counting, open });
  if (lowered.size > LOWERED) lowered.delete(lowered.keys().next().value!);
  mine.lowered = lowered;
  // The first frame may be older than a delete that only the log tells.
  if (counting && key > lastReadKey(work, entry)) work.want({ kind: "totals", cid: "" });
  if (counting && book.base > 0 && key <= book.boundary && !isToldBy(book.page, key)) doubt(work, cid, key);
  mine.mentions = book.mentions.filter((each) => each !== key);
  mine.counted = book.counted.filter((each) => each !== key);
  show(work, cid);
}

/** What deletes take off the base: those later than it was told, of messages it includes. */
function takenOff(work: Work, entry: ChannelEntry): number {
  const book = work.peekBook(entry.cid);
  if (book.base === 0 || book.lowered.size === 0) return 0;
  const from = lastReadKey(work, entry);
  let taken = 0;
  for (const { key, open } of book.lowered.values())
    if (open && key <= book.boundary && key > from) taken += 1;
  return taken;
}

const isToldBy = (page: Counted | undefined, key: string): boolean =>
  page !== undefined && key >= page.from && key <= page.to;

/** Only the provider can say what the base counts of the messages from `key` on. */
function doubt(work: Work, cid: string, key: string): void {
  if (key <= lastReadKey(work, work.peek(cid)!)) return;
  work.book(cid).doubtSerial = work.serial;
  work.want({ kind: "unread", cid });
}

/** Whether the base counts a message whose delete is told now: its page knows, and outside of it the moments have to say. */
function isInBase(
  work: Work,
  { page, boundary, baseAt }: Readonly<Book>,
  id: string,
  key: string,
  deletedAt: string,
  wasDeleted: boolean,
): boolean {
  if (key > boundary) return false;
  if (isToldBy(page, key)) return page!.alive.has(id);
  // Events of the past are older than the number, as a rule.
  return !work.past && !wasDeleted && deletedAt > baseAt;
}

/** The deletes are in the base from now on, but for those that its page does not know of yet: they came before it and are newer. */
function closeLowered(
  lowered: ReadonlyMap<string, Lowered>,
  boundary: string,
  counted: (id: string, each: Lowered) => boolean = () => false,
): ReadonlyMap<string, Lowered> {
  return new Map(
    [...lowered].map(([id, each]) => [
      id,
      each.key <= boundary ? { ...each, open: counted(id, each) } : each,
    ]),
  );
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
  if (moment >= mine.claimed) mine.claimed = "";
  // A mark up to an older message leaves the later ones of the provider's number unread.
  const key = lastKeyOf(at);
  if (mine.clamped || (mine.base > 0 && key < mine.boundary && hasGap(work, cid, key)))
    doubt(work, cid, mine.boundary);
  mine.clamped = false;
  const left = key < mine.boundary ? unreadHeld(work, cid, key, mine.boundary) : [];
  const before = mine.base;
  clearUpTo(work, cid, key);
  if (left.length > 0 && before > 0) {
    mine.base = Math.min(before, left.length);
    // What is deleted already is not among them.
    mine.page = { from: key, to: mine.boundary, alive: new Set(left) };
    mine.lowered = closeLowered(mine.lowered, mine.boundary);
  }
  if (compareTimes(at, own?.last_read) > 0) mine.readSerial = work.serial;
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
  mine.baseAt = moment;
  mine.page = undefined;
  mine.lowered = closeLowered(mine.lowered, key, (_, each) => each.worth && each.at > moment);
  mine.counted = after(mine.counted, key);
  const own = ownRead(work, held);
  setRead(work, cid, {
    ...own,
    user: own?.user ?? work.userOf(me) ?? { id: me },
    last_read: event.last_read_at ?? own?.last_read ?? "",
    unread_messages: mine.base,
    ...(event.last_read_message_id !== undefined && { last_read_message_id: event.last_read_message_id }),
  });
  hold(work, cid, event);
  mine.mentions = mentionsHeld(work, cid);
  show(work, cid);
}

function hold(work: Work, cid: string, event: { first_unread_message_id?: string }): void {
  const entry = work.entry(cid)!;
  entry.heldUnread = true;
  if (event.first_unread_message_id) entry.firstUnreadId = event.first_unread_message_id;
}

/** R-READ-1: the provider's number is the new base; what was counted later than it knows stays counted. `since` = serial when the answer was asked for. */
export function snapshot(
  work: Work,
  cid: string,
  read: Read | undefined,
  page: Counted,
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
  mine.base = read?.unread_messages ?? 0;
  mine.clamped = false;
  mine.page = page;
  mine.baseAt = mine.boundary.split("\u0000")[0]!;
  mine.counted = after(mine.counted, mine.boundary);
  // What the break took away again was never told as deleted.
  if (held.stale && mine.counted.length) {
    const latest = work.sets(cid)?.find((set) => set.isLatest);
    const keys = new Set([...(latest?.edit ?? [])].map((message) => placeKey(message)));
    mine.counted = mine.counted.filter((key) => keys.has(key));
  }
  if (ahead) {
    // The held list, without what was deleted since the answer was made.
    const from = lastKeyOf(own.last_read);
    const left = unreadHeld(work, cid, from, mine.boundary);
    mine.clamped = left.length < mine.base && hasGap(work, cid, from);
    if (left.length < mine.base) {
      mine.base = left.length;
      mine.page = { from, to: mine.boundary, alive: new Set(left) };
    }
  }
  const { alive } = mine.page;
  mine.lowered = closeLowered(mine.lowered, mine.boundary, (id) => alive.has(id));
  if (read && !ahead) setRead(work, cid, read);
  const moment = read && normalTime(read.last_read);
  if (moment && !held.heldUnread && (moment > mine.readStamp || held.stale)) mine.readStamp = moment;
  mine.mentions = mine.base + mine.counted.length === 0 ? [] : mentionsHeld(work, cid);
  show(work, cid);
  const entry = work.entry(cid)!;
  if (entry.unread === 0) delete entry.firstUnreadId;
  else entry.firstUnreadId ??= firstUnreadHeld(work, cid);
}

/** Whether the latest set begins after this place. */
function hasGap(work: Work, cid: string, from: string): boolean {
  const latest = work.sets(cid)?.find((set) => set.isLatest);
  return latest !== undefined && latest.hasPrev && (latest.edit.firstKey ?? "\uffff") > from;
}

/** A mark will not be taken: what it left open is asked for. */
export function dropClaim(work: Work, cid: string): void {
  if (!work.has(cid)) return;
  const mine = work.book(cid);
  mine.claimed = "";
  if (mine.clamped) doubt(work, cid, mine.boundary);
  mine.clamped = false;
}

/** Nobody here knows how far the provider has it: it is asked, and what it says is believed. */
export function readUnknown(work: Work, cid: string): void {
  if (!work.has(cid)) return;
  Object.assign(work.book(cid), {
    claimed: "",
    clamped: false,
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
      !mine.lowered.has(message.id) &&
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
