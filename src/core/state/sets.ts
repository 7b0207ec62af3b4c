/** Message sets: which set takes a page, how sets merge, and their flags (R-SET-1…16). */
import { isLocal } from "../../model/message-state.ts";
import { normalTime } from "../../wire/time.ts";
import { MESSAGE_ANCHORS, type MessageAnchor, type MessagePagination } from "../../wire/entities/query.ts";
import type { HeldMessage } from "../../model/state.ts";
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

/** Whether a held message says nothing about its neighbours: the provider may not have it, or it came alone. */
export function isDetached(message: HeldMessage, detached: ReadonlySet<string> | undefined): boolean {
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

/** The set that takes own messages before any page was loaded: latest, and everything before it unknown. */
export function ensureLatest(sets: SetDraft[]): SetDraft {
  let latest = latestOf(sets);
  if (!latest) {
    latest = newSet({ hasNext: false, isLatest: true, isCurrent: !sets.some((set) => set.isCurrent) });
    sets.push(latest);
  }
  return latest;
}

/** R-SET-2: exactly one current set, at most one latest, and that one has nothing newer; empty ones go, but the latest. */
function tidy(sets: SetDraft[]): void {
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

/** R-SET-9: the set a page belongs to, before overlaps are looked at. */
function targetOf(
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

/** R-SET-7: how many of the page stand before and after its target. */
function aroundCounts(
  messages: readonly HeldMessage[],
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

/** Union by id into `into`; the flags come from whoever holds the outermost message, `into` when both do (R-SET-10). */
function join(into: SetDraft, other: SetDraft): void {
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

/** Takes out received messages that the page would have held if they still existed: they were deleted while nobody told (D7). */
function dropMissing(set: SetDraft, page: readonly HeldMessage[], fromStart: boolean): void {
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
 * R-SET-3…11 on the sets of a channel or thread. `messages` are the versions to hold, oldest first; `asked` counts
 * what the answer returned before anything was left out; `live`: the list follows the provider already. Returns the receiving set.
 */
export function receivePage(
  sets: SetDraft[],
  messages: readonly HeldMessage[],
  asked: { pagination: MessagePagination; limit: number; returned: number; live?: boolean },
  detached: ReadonlySet<string> = NO_IDS,
): SetDraft {
  const anchor = MESSAGE_ANCHORS.find((name) => asked.pagination[name] !== undefined);
  const value = anchor && asked.pagination[anchor];
  const side: Side = anchor ? SIDE[anchor] : "none";
  const full = asked.returned >= asked.limit;

  const target = targetOf(sets, anchor, value);
  const page = target ?? newSet();
  if (!target) sets.push(page);
  // Where ids overlap the page is the newer telling, so its own messages go in before other sets are joined.
  const others: SetDraft[] = [];
  for (const set of sets) {
    if (set === page) continue;
    const shared = messages.map((message) => set.edit.get(message.id)).filter((held) => held !== undefined);
    if (shared.some((held) => !isDetached(held, detached))) others.push(set);
    // A message that came alone proves nothing about what lies between: it moves, and the gap stays visible (D6).
    else for (const held of shared) set.edit.remove(held.id);
  }
  for (const message of messages) page.edit.put(message);

  if (side === "none") Object.assign(page, { hasNext: false, hasPrev: full });
  else if (side === "older") page.hasPrev = full;
  else if (side === "newer") page.hasNext = full;
  else {
    const [before, after] = aroundCounts(messages, anchor!, value!);
    const half = Math.floor((asked.limit - 1) / 2);
    page.hasPrev = asked.limit === 1 || before >= half;
    page.hasNext = asked.limit === 1 || after >= half;
  }
  for (const other of others) {
    join(page, other);
    sets.splice(sets.indexOf(other), 1);
  }
  dropMissing(page, messages, (side === "none" || side === "older") && !full);

  if (side === "none" && asked.live && isOutrun(sets, page, detached)) page.hasNext = true;
  else if (side === "none") becomeLatest(sets, page, asked.returned === 0, detached);
  else if (!page.hasNext && !page.isLatest) reachEnd(sets, page);
  tidy(sets);
  return page;
}

/** Of two answers the older came last: what is held is contiguous with the live events and newer than this page (D6). */
function isOutrun(sets: readonly SetDraft[], page: SetDraft, detached: ReadonlySet<string>): boolean {
  const latest = sets.find((set) => set.isLatest);
  // Also of nothing: there was no message yet when it was asked for.
  const { lastKey = "" } = page.edit;
  if (!latest || latest === page || page.isLatest) return false;
  for (const message of latest.edit)
    if (!isDetached(message, detached) && orderKey(message) > lastKey) return true;
  return false;
}

/** R-SET-9, second half: a page without cursor is the newest there is. */
function becomeLatest(
  sets: SetDraft[],
  page: SetDraft,
  nothingLeft: boolean,
  detached: ReadonlySet<string>,
): void {
  for (const old of sets.slice()) {
    if (old === page || !(old.isLatest || nothingLeft)) continue;
    for (const message of old.edit)
      if (isLocal(message)) {
        old.edit.remove(message.id);
        page.edit.put(message);
      } else if (detached.has(message.id)) old.edit.remove(message.id);
    page.isCurrent ||= old.isCurrent;
    Object.assign(old, { isLatest: false, isCurrent: false, hasNext: true, loading: undefined });
    if (nothingLeft) sets.splice(sets.indexOf(old), 1);
  }
  page.isLatest = true;
}

/** A walk towards newer messages has come to the end: it is the latest set unless a newer one is held. */
function reachEnd(sets: SetDraft[], page: SetDraft): void {
  const latest = latestOf(sets);
  // Sets without a shared id stay apart, however it looks (R-SET-11).
  if (latest && [...latest.edit].some((message) => !isLocal(message))) return;
  if (latest) join(page, latest);
  if (latest) sets.splice(sets.indexOf(latest), 1);
  page.hasNext = false;
  page.isLatest = true;
}

/** Where the set begins by what the provider told: an echo may stand anywhere, as the local clock has it. */
export function firstConfirmedKey(set: SetDraft): string | undefined {
  for (const message of set.edit) if (!isLocal(message)) return orderKey(message);
  return undefined;
}

/** R-SET-13: puts a new message where it belongs; false when no latest set is loaded or it lies before what is held. */
export function insertNewest(sets: SetDraft[], message: HeldMessage, room: number): boolean {
  const latest = latestOf(sets);
  if (!latest) return false;
  const firstKey = firstConfirmedKey(latest);
  if (latest.hasPrev && !isLocal(message) && firstKey !== undefined && orderKey(message) < firstKey)
    return false;
  latest.edit.put(message);
  if (latest.edit.trim(room)) latest.hasPrev = true;
  return true;
}

/** Keeps of the latest set what stands from this key on, and of the others nothing; a gap shows before it. */
export function forgetBefore(sets: SetDraft[], key: string): void {
  const latest = latestOf(sets);
  for (let i = sets.length - 1; i >= 0; i--) if (sets[i] !== latest) sets.splice(i, 1);
  if (!latest || latest.edit.firstKey === undefined || latest.edit.firstKey >= key) return tidy(sets);
  for (const message of latest.edit)
    if (orderKey(message) < key && !isLocal(message)) latest.edit.remove(message.id);
  latest.hasPrev = true;
  tidy(sets);
}

/** R-SET-16: everything at or before `cut` goes, but the message named; drops empty sets and keeps the latest. */
export function cutSets(sets: SetDraft[], cut: string, keep?: string): void {
  for (const set of sets) {
    if (set.edit.firstKey === undefined || set.edit.firstKey > cut) continue;
    for (const message of set.edit)
      if (orderKey(message) <= cut && message.id !== keep && !isLocal(message)) set.edit.remove(message.id);
    set.hasPrev = false;
  }
  tidy(sets);
}
