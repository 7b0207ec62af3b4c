/** Message sets: which set receives a page, how sets merge, and their flags (R-SET-1…16). */
import { isLocal } from "../../model/message-state.ts";
import { normalTime } from "../../wire/time.ts";
import { MESSAGE_ANCHORS, type MessageAnchor, type MessagePagination } from "../../wire/entities/query.ts";
import type { ClientMessage } from "../../model/state.ts";
import { NO_MESSAGES, orderKey, TimelineEdit } from "./timeline.ts";
import type { SetDraft } from "./state-draft.ts";

type Side = "none" | "older" | "newer" | "around";

const SIDE: Record<MessageAnchor, Side> = {
  id_lt: "older",
  id_lte: "older",
  created_at_before: "older",
  created_at_before_or_equal: "older",
  id_gt: "newer",
  id_gte: "newer",
  created_at_after: "newer",
  created_at_after_or_equal: "newer",
  id_around: "around",
  created_at_around: "around",
};

const NO_IDS: ReadonlySet<string> = new Set();

/** Whether messages may be missing around this one: the provider may not have it, or it arrived alone. */
export function isDetached(message: ClientMessage, detached: ReadonlySet<string> | undefined): boolean {
  return isLocal(message) || detached?.has(message.id) === true;
}

function newSet(flags: Partial<Omit<SetDraft, "edit">> = {}): SetDraft {
  return {
    edit: new TimelineEdit(NO_MESSAGES),
    hasPrev: true,
    hasNext: true,
    isLatest: false,
    isCurrent: false,
    ...flags,
  };
}

export function latestOf(sets: SetDraft[]): SetDraft | undefined {
  return sets.find((set) => set.isLatest);
}

/** The latest set, created if needed: it takes echoes before any page is loaded, and everything before it is unknown. */
export function ensureLatest(sets: SetDraft[]): SetDraft {
  let latest = latestOf(sets);
  if (!latest) {
    latest = newSet({ hasNext: false, isLatest: true, isCurrent: !sets.some((set) => set.isCurrent) });
    sets.push(latest);
  }
  return latest;
}

/** R-SET-2: exactly one current set, at most one latest, which has nothing newer; drops empty sets except the latest. */
function normalize(sets: SetDraft[]): void {
  for (const set of sets) if (set.isLatest && set.hasNext) set.isLatest = false;
  const latest = latestOf(sets);
  for (let i = sets.length - 1; i >= 0; i--) {
    const set = sets[i]!;
    if (set !== latest && set.isLatest) set.isLatest = false;
    if (set !== latest && set.edit.length === 0) sets.splice(i, 1);
  }
  sets.sort((a, b) => {
    if (a.isLatest !== b.isLatest) return a.isLatest ? 1 : -1;
    return (a.edit.firstKey ?? "") < (b.edit.firstKey ?? "") ? -1 : 1;
  });
  const currents = sets.filter((set) => set.isCurrent);
  for (const extra of currents.slice(1)) extra.isCurrent = false;
  if (currents.length === 0 && sets.length > 0) (latestOf(sets) ?? sets.at(-1)!).isCurrent = true;
}

export function makeCurrent(sets: SetDraft[], chosen: SetDraft): void {
  if (!sets.includes(chosen)) return;
  for (const set of sets) set.isCurrent = set === chosen;
}

/** R-SET-9: the set a page belongs to, before overlaps are checked. */
function findTarget(
  sets: SetDraft[],
  anchor: MessageAnchor | undefined,
  value: string | undefined,
): SetDraft | undefined {
  if (!anchor || value === undefined) return undefined;
  if (anchor.startsWith("id_")) return sets.find((set) => set.edit.has(value));
  const time = normalTime(value);
  if (time === undefined || SIDE[anchor] === "around") return undefined;
  return sets.find((set) => {
    const edge = SIDE[anchor] === "older" ? set.edit.first : set.edit.last;
    return edge !== undefined && normalTime(edge.created_at) === time;
  });
}

/** R-SET-7: how many messages of the page are before and after its anchor. */
function aroundCounts(
  messages: readonly ClientMessage[],
  anchor: MessageAnchor,
  value: string,
): [number, number] {
  const time = normalTime(value) ?? "";
  const at =
    anchor === "id_around"
      ? messages.findIndex((message) => message.id === value)
      : messages.findIndex((message) => (normalTime(message.created_at) ?? "") >= time);
  if (at < 0) return [messages.length, 0];
  return [at, messages.length - at - 1];
}

/** Union by id; the flags come from the set with the outermost message, from `into` when both have it (R-SET-10). */
function mergeInto(into: SetDraft, other: SetDraft): void {
  const oldest = other.edit.firstKey;
  const newest = other.edit.lastKey;
  if (oldest !== undefined && (into.edit.firstKey === undefined || oldest < into.edit.firstKey))
    into.hasPrev = other.hasPrev;
  if (newest !== undefined && (into.edit.lastKey === undefined || newest > into.edit.lastKey))
    into.hasNext = other.hasNext;
  for (const message of other.edit) if (!into.edit.has(message.id)) into.edit.put(message);
  into.isLatest ||= other.isLatest;
  into.isCurrent ||= other.isCurrent;
  into.loading ??= other.loading;
}

/** Removes messages that the page should contain but does not: they were deleted without an event (D7). */
function dropMissing(set: SetDraft, page: readonly ClientMessage[], fromStart: boolean): void {
  if (page.length === 0) return;
  const ids = new Set(page.map((message) => message.id));
  const first = fromStart ? "" : orderKey(page[0]!);
  const last = orderKey(page.at(-1)!);
  for (const message of set.edit) {
    const key = orderKey(message);
    if (key >= first && key <= last && !ids.has(message.id) && !isLocal(message)) set.edit.remove(message.id);
  }
}

/**
 * R-SET-3…11 on the sets of a channel or thread. `messages` are the merged versions, oldest first; `request.returned` is
 * their number in the answer before any were filtered out; `live`: the list is current already. Returns the receiving set.
 */
export function receivePage(
  sets: SetDraft[],
  messages: readonly ClientMessage[],
  request: { pagination: MessagePagination; limit: number; returned: number; live?: boolean },
  detached: ReadonlySet<string> = NO_IDS,
): SetDraft {
  const anchor = MESSAGE_ANCHORS.find((name) => request.pagination[name] !== undefined);
  const value = anchor && request.pagination[anchor];
  const side: Side = anchor ? SIDE[anchor] : "none";
  const full = request.returned >= request.limit;

  const target = findTarget(sets, anchor, value);
  const page = target ?? newSet();
  if (!target) sets.push(page);
  // The page is newer than overlapping sets, so its messages go in before they are merged.
  const others: SetDraft[] = [];
  for (const set of sets) {
    if (set === page) continue;
    const shared = messages.map((message) => set.edit.get(message.id)).filter((held) => held !== undefined);
    if (shared.some((held) => !isDetached(held, detached))) others.push(set);
    // A detached message does not connect the sets: it moves to the page, and the gap stays visible (D6).
    else for (const held of shared) set.edit.remove(held.id);
  }
  for (const message of messages) page.edit.put(message);

  if (side === "none") Object.assign(page, { hasNext: false, hasPrev: full });
  else if (side === "older") page.hasPrev = full;
  else if (side === "newer") page.hasNext = full;
  else {
    const [before, after] = aroundCounts(messages, anchor!, value!);
    const half = Math.floor((request.limit - 1) / 2);
    page.hasPrev = request.limit === 1 || before >= half;
    page.hasNext = request.limit === 1 || after >= half;
  }
  for (const other of others) {
    mergeInto(page, other);
    sets.splice(sets.indexOf(other), 1);
  }
  dropMissing(page, messages, (side === "none" || side === "older") && !full);

  if (side === "none" && request.live && isOutdated(sets, page, detached)) page.hasNext = true;
  else if (side === "none") becomeLatest(sets, page, request.returned === 0, detached);
  else if (!page.hasNext && !page.isLatest) markEndReached(sets, page);
  normalize(sets);
  return page;
}

/** Whether this page is an older answer that arrived last: the latest set has newer messages than it (D6). */
function isOutdated(sets: readonly SetDraft[], page: SetDraft, detached: ReadonlySet<string>): boolean {
  const latest = sets.find((set) => set.isLatest);
  // Also for an empty page: there was no message yet at the request.
  const { lastKey = "" } = page.edit;
  if (!latest || latest === page || page.isLatest) return false;
  for (const message of latest.edit)
    if (!isDetached(message, detached) && orderKey(message) > lastKey) return true;
  return false;
}

/** R-SET-9, second half: a page without cursor is the latest set. */
function becomeLatest(
  sets: SetDraft[],
  page: SetDraft,
  isEmptyAnswer: boolean,
  detached: ReadonlySet<string>,
): void {
  for (const old of sets.slice()) {
    if (old === page || !(old.isLatest || isEmptyAnswer)) continue;
    for (const message of old.edit)
      if (isLocal(message)) {
        old.edit.remove(message.id);
        page.edit.put(message);
      } else if (detached.has(message.id)) old.edit.remove(message.id);
    page.isCurrent ||= old.isCurrent;
    Object.assign(old, { isLatest: false, isCurrent: false, hasNext: true, loading: undefined });
    if (isEmptyAnswer) sets.splice(sets.indexOf(old), 1);
  }
  page.isLatest = true;
}

/** Loading newer messages reached the end: the set becomes the latest unless a newer one is loaded. */
function markEndReached(sets: SetDraft[], page: SetDraft): void {
  const latest = latestOf(sets);
  // Sets without a shared id stay separate (R-SET-11).
  if (latest && [...latest.edit].some((message) => !isLocal(message))) return;
  if (latest) mergeInto(page, latest);
  if (latest) sets.splice(sets.indexOf(latest), 1);
  page.hasNext = false;
  page.isLatest = true;
}

/** Key of the first message from the provider: echoes do not count, the local clock decides where they are. */
export function firstConfirmedKey(set: SetDraft): string | undefined {
  for (const message of set.edit) if (!isLocal(message)) return orderKey(message);
  return undefined;
}

/** R-SET-13: inserts a new message into the latest set; false when none is loaded or the message is before it. */
export function insertNewest(sets: SetDraft[], message: ClientMessage, limit: number): boolean {
  const latest = latestOf(sets);
  if (!latest) return false;
  const firstKey = firstConfirmedKey(latest);
  if (latest.hasPrev && !isLocal(message) && firstKey !== undefined && orderKey(message) < firstKey)
    return false;
  latest.edit.put(message);
  if (latest.edit.trim(limit)) latest.hasPrev = true;
  return true;
}

/** Drops all messages before this key and all sets but the latest; a gap shows before it. */
export function dropOlderThan(sets: SetDraft[], key: string): void {
  const latest = latestOf(sets);
  for (let i = sets.length - 1; i >= 0; i--) if (sets[i] !== latest) sets.splice(i, 1);
  if (!latest || latest.edit.firstKey === undefined || latest.edit.firstKey >= key) return normalize(sets);
  for (const message of latest.edit)
    if (orderKey(message) < key && !isLocal(message)) latest.edit.remove(message.id);
  latest.hasPrev = true;
  normalize(sets);
}

/** R-SET-16: removes everything at or before the key `cut`, except one message; drops empty sets but the latest. */
export function truncateSets(sets: SetDraft[], cut: string, keep?: string): void {
  for (const set of sets) {
    if (set.edit.firstKey === undefined || set.edit.firstKey > cut) continue;
    for (const message of set.edit)
      if (orderKey(message) <= cut && message.id !== keep && !isLocal(message)) set.edit.remove(message.id);
    set.hasPrev = false;
  }
  normalize(sets);
}
