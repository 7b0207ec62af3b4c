/** Selects the message sets of a channel or thread, and which of them is shown. */
import type { HeldMessage, MessageSet, ThreadRef, State } from "./state.ts";

const NO_SETS: readonly MessageSet[] = [];

/** Names a place in a table. */
export const placeKey = ({ cid, parentId }: ThreadRef): string =>
  parentId === undefined ? cid : `${cid} ${parentId}`;

export function setsOf(state: State, place: ThreadRef): readonly MessageSet[] {
  const entry = state.channels.get(place.cid);
  return (place.parentId === undefined ? entry?.sets : entry?.threads.get(place.parentId)?.sets) ?? NO_SETS;
}

function currentSet(state: State, place: ThreadRef): MessageSet | undefined {
  return setsOf(state, place).find((set) => set.isCurrent);
}

/** What a screen shows of a place: the current set (R-SET-12), else the latest one. */
export function shownSet(state: State, place: ThreadRef): MessageSet | undefined {
  return currentSet(state, place) ?? latestSet(state, place) ?? setsOf(state, place).at(-1);
}

export function latestSet(state: State, place: ThreadRef): MessageSet | undefined {
  return setsOf(state, place).find((set) => set.isLatest);
}

/** R-SET-15: whether a load of that side may be asked for; the set it would extend, or undefined. */
export function loadableSet(state: State, place: ThreadRef, side: "prev" | "next"): MessageSet | undefined {
  const set = currentSet(state, place);
  if (!set || set.loading === side) return undefined;
  return (side === "prev" ? set.hasPrev : set.hasNext) ? set : undefined;
}

/** A message where it is held in a channel or thread. */
export function heldIn(state: State, place: ThreadRef, id: string): HeldMessage | undefined {
  for (const { messages } of setsOf(state, place)) {
    const at = messages.indexOf(id);
    if (at >= 0) return messages.at(at);
  }
  return undefined;
}

/** The same, or in the channel of the thread: what a box edits or quotes may stand in either. */
export const heldNear = (state: State, place: ThreadRef, id: string): HeldMessage | undefined =>
  heldIn(state, place, id) ?? heldIn(state, { cid: place.cid }, id);

/** The message a thread hangs from, where it is held. */
export const parentOf = (state: State, cid: string, parentId: string): HeldMessage | undefined =>
  heldIn(state, { cid }, parentId);
