/** Questions faces ask the state: channel order, what is muted, which set is shown, who types. */
import { compareTimes } from "../../wire/time.ts";
import type { Place } from "../asked.ts";
import type { User } from "../../wire/user.ts";
import type { ChannelEntry, MessageSet, State } from "./model.ts";
import { isChannelMuted, isUserMuted } from "./mutes.ts";

const NO_SETS: readonly MessageSet[] = [];

export function setsOf(state: State, place: Place): readonly MessageSet[] {
  const entry = state.channels.get(place.cid);
  return (place.parentId === undefined ? entry?.sets : entry?.threads.get(place.parentId)?.sets) ?? NO_SETS;
}

export function currentSet(state: State, place: Place): MessageSet | undefined {
  return setsOf(state, place).find((set) => set.isCurrent);
}

export function latestSet(state: State, place: Place): MessageSet | undefined {
  return setsOf(state, place).find((set) => set.isLatest);
}

/** R-SET-15: whether a load of that side may be asked for; the set it would extend, or undefined. */
export function loadableSet(state: State, place: Place, side: "prev" | "next"): MessageSet | undefined {
  const set = currentSet(state, place);
  if (!set || set.loading === side) return undefined;
  return (side === "prev" ? set.hasPrev : set.hasNext) ? set : undefined;
}

export function isMuted(state: State, cid: string, now: number): boolean {
  return isChannelMuted(state.me, cid, now);
}

/** The moment a channel was last active: its newest message, else its creation. */
export function activityOf(entry: ChannelEntry): string {
  return entry.channel.last_message_at ?? entry.channel.created_at ?? "";
}

/**
 * The channel list (R-PIN-1, R-PIN-2, R-CHAN-1): pinned first, the newest pin on top, the rest by last activity, then
 * cid. Archived, hidden and unavailable channels are left out. `now` is provider time in milliseconds.
 */
export function channelOrder(state: State, _now: number, show: "list" | "archive" = "list"): string[] {
  return [...state.channels.values()]
    .filter(
      (entry) =>
        !entry.hidden &&
        !entry.unavailable &&
        Boolean(entry.membership?.archived_at) === (show === "archive"),
    )
    .toSorted(
      (a, b) =>
        compareTimes(b.membership?.pinned_at, a.membership?.pinned_at) ||
        compareTimes(activityOf(b), activityOf(a)) ||
        (a.cid < b.cid ? -1 : 1),
    )
    .map((entry) => entry.cid);
}

/** R-TYPE-7: who types in a place, muted users left out. */
export function typingUsers(state: State, place: Place, now: number): User[] {
  const entry = state.channels.get(place.cid);
  return (entry?.typing ?? [])
    .filter((each) => each.parentId === place.parentId && !isUserMuted(state.me, each.user.id, now))
    .map((each) => each.user);
}

/** Users that have read up to a message of this time, the own user left out (R-READ-5). */
export function readBy(entry: ChannelEntry, createdAt: string, me: string | undefined): User[] {
  return [...entry.read.values()]
    .filter((read) => read.user.id !== me && compareTimes(read.last_read, createdAt) >= 0)
    .map((read) => read.user);
}
