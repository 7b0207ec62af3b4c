/** A channel as its viewer sees it: title, group in the sidebar and place in the order (R-PIN). */
import { cleanName } from "../text/sanitize.ts";
import { splitCid } from "../wire/ids.ts";
import { isPending, isRejected } from "./membership.ts";
import { normalTime } from "../wire/time.ts";
import type { OwnUser, User } from "../wire/entities/user.ts";
import { isChannelMuted, isUserMuted } from "./mutes.ts";
import type { ChannelEntry, State } from "./state.ts";

/** The name of a user, clean and never empty. */
export function userName(user: Pick<User, "id" | "name"> | undefined): string {
  if (!user) return "someone";
  return (user.name && cleanName(user.name)) || cleanName(user.id) || "someone";
}

/** An id no person wrote: a UUID, or a long run of letters and digits. */
const GENERATED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-|^(?=.*\d)[\w]{20,}$/i;

/**
 * A conversation without a name: a distinct channel, or two people in a channel whose id says nothing but who they are.
 * `deploys` with two members is a channel called #deploys.
 */
export function isDirect({ channel, members, memberCount }: ChannelEntry): boolean {
  if (channel.name) return false;
  if (channel.id.startsWith("!members")) return true;
  if (memberCount !== 2) return false;
  const isOfMembers = members.size === 2 && [...members.keys()].every((id) => channel.id.includes(id));
  return isOfMembers || GENERATED_ID.test(channel.id);
}

/** The others of a direct channel, in the order of their names. */
export function others(entry: ChannelEntry, me: string | undefined): User[] {
  return [...entry.members.values()]
    .filter((member) => member.user_id !== me)
    .map((member) => member.user ?? { id: member.user_id })
    .toSorted((a, b) => userName(a).localeCompare(userName(b), "en"));
}

/** `#general`, or the names of the others; clean, one line. */
export function channelTitle(entry: ChannelEntry, me: string | undefined): string {
  const name = entry.channel.name && cleanName(entry.channel.name);
  if (name) return name.startsWith("#") ? name : `#${name}`;
  if (isDirect(entry)) {
    const names = others(entry, me).map(userName);
    return names.length ? names.join(", ") : "note to self";
  }
  return `#${cleanName(splitCid(entry.cid)?.id ?? entry.cid) || "channel"}`;
}

/** The title of a channel, held or not. */
export function cidTitle(state: State, cid: string): string {
  const entry = state.channels.get(cid);
  return entry ? channelTitle(entry, state.me?.id) : `#${cleanName(splitCid(cid)?.id ?? cid) || "channel"}`;
}

/** Muted by the own user and not expired (R-MUTE-1). `now` = provider time, milliseconds. */
export function isMuted(state: State, cid: string, now: number): boolean {
  return isChannelMuted(state.me, cid, now);
}

export type Group = "invited" | "pinned" | "channels" | "direct" | "archived";

export function groupOf(entry: ChannelEntry): Group {
  if (isPending(entry.membership)) return "invited";
  if (entry.membership?.archived_at) return "archived";
  if (entry.membership?.pinned_at) return "pinned";
  return isDirect(entry) ? "direct" : "channels";
}

/** What a channel is ordered by, as texts that compare like times; empty without one. */
interface Rank {
  entry: ChannelEntry;
  pinned: string;
  newest: string;
}

const ranks = new WeakMap<ChannelEntry, Rank>();

function rankOf(entry: ChannelEntry): Rank {
  let rank = ranks.get(entry);
  if (!rank) {
    const { channel, membership } = entry;
    const time = (text: string | null | undefined): string => (text && normalTime(text)) || "";
    rank = {
      entry,
      pinned: time(membership?.pinned_at),
      newest: time(channel.last_message_at ?? channel.created_at),
    };
    ranks.set(entry, rank);
  }
  return rank;
}

const newestFirst = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1);

/** R-PIN-1: newest pin first, then newest activity, last tie the cid. */
const inOrder = (a: Rank, b: Rank): number =>
  newestFirst(a.pinned, b.pinned) || newestFirst(a.newest, b.newest) || (a.entry.cid < b.entry.cid ? -1 : 1);

/** A thousand channels are asked for their order several times a frame. */
const lists = new WeakMap<State["channels"], readonly ChannelEntry[]>();

/** Channels that are listed: not hidden, still there, not refused, in R-PIN's order. */
export function listed({ channels }: Pick<State, "channels">): readonly ChannelEntry[] {
  let list = lists.get(channels);
  if (!list) {
    list = [...channels.values()]
      .filter((e) => !e.hidden && !e.unavailable && !isRejected(e.membership))
      .map(rankOf)
      .toSorted(inOrder)
      .map(({ entry }) => entry);
    lists.set(channels, list);
  }
  return list;
}

/** What waits: mentions first, then direct, then other unread; muted and archived ones never (specification/screen.md §1). */
export function waiting(state: State, now: number): ChannelEntry[] {
  const rank = (e: ChannelEntry): number => (e.mentions > 0 ? 0 : isDirect(e) ? 1 : 2);
  return listed(state)
    .filter((e) => e.unread > 0 && groupOf(e) !== "archived" && !isMuted(state, e.cid, now))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** R-TYPE-7: the names of those who type in a channel, or in a thread of it, muted users left out. `now` = provider time, milliseconds. */
export function typingNames(
  entry: Pick<ChannelEntry, "typing"> | undefined,
  me: OwnUser | undefined,
  now: number,
  parentId?: string,
): string[] {
  return (entry?.typing ?? [])
    .filter((each) => each.parentId === parentId && !isUserMuted(me, each.user.id, now))
    .map((each) => userName(each.user));
}
