/** Selects message sets and messages of a channel or thread. */
import type { ClientMessage, MessageSet, ThreadRef, State } from "./state.ts";

const NO_SETS: readonly MessageSet[] = [];

export const placeKey = ({ cid, parentId }: ThreadRef): string =>
  parentId === undefined ? cid : `${cid} ${parentId}`;

export function setsOf(state: State, place: ThreadRef): readonly MessageSet[] {
  const entry = state.channels.get(place.cid);
  return (place.parentId === undefined ? entry?.sets : entry?.threads.get(place.parentId)?.sets) ?? NO_SETS;
}

function currentSet(state: State, place: ThreadRef): MessageSet | undefined {
  return setsOf(state, place).find((set) => set.isCurrent);
}

/** The set that is shown: the current one (R-SET-12), else the latest one. */
export function shownSet(state: State, place: ThreadRef): MessageSet | undefined {
  return currentSet(state, place) ?? latestSet(state, place) ?? setsOf(state, place).at(-1);
}

export function latestSet(state: State, place: ThreadRef): MessageSet | undefined {
  return setsOf(state, place).find((set) => set.isLatest);
}

/** R-SET-15: the set that a load of that side would extend; undefined if there is nothing to load. */
export function loadableSet(state: State, place: ThreadRef, side: "prev" | "next"): MessageSet | undefined {
  const set = currentSet(state, place);
  if (!set || set.loading === side) return undefined;
  return (side === "prev" ? set.hasPrev : set.hasNext) ? set : undefined;
}

export function heldIn(state: State, place: ThreadRef, id: string): ClientMessage | undefined {
  for (const { messages } of setsOf(state, place)) {
    const at = messages.indexOf(id);
    if (at >= 0) return messages.at(at);
  }
  return undefined;
}

/** Like `heldIn`, but also searches the channel of the thread: an edited or quoted message may be in either. */
export const heldNear = (state: State, place: ThreadRef, id: string): ClientMessage | undefined =>
  heldIn(state, place, id) ?? heldIn(state, { cid: place.cid }, id);

/** The parent message of a thread, if it is loaded. */
export const parentOf = (state: State, cid: string, parentId: string): ClientMessage | undefined =>
  heldIn(state, { cid }, parentId);
