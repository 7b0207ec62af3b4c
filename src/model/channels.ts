/** How a viewer sees channels: titles, groups of the sidebar, and order (R-PIN). */
import { cleanLine, cleanName, WHOLE_NAME_CELLS } from "../text/sanitize.ts";
import { duration } from "../text/times.ts";
import { DEFAULT_MAX_MESSAGE_LENGTH } from "../wire/constants.ts";
import { splitCid } from "../wire/ids.ts";
import { isPending, isRejected } from "./membership.ts";
import { normalTime } from "../wire/time.ts";
import type { ChannelState } from "../wire/entities/channel.ts";
import type { OwnUser, User } from "../wire/entities/user.ts";
import { isChannelMuted, isUserMuted } from "./mutes.ts";
import type { ChannelEntry, State } from "./state.ts";

type NamedUser = Pick<User, "id" | "name"> | undefined;

/** The display name of a user, sanitized and never empty. */
export const userName = (user: NamedUser): string => nameWithin(user, undefined);

/** {@link userName} as it was written, for a place with several rows. */
export const wholeUserName = (user: NamedUser): string => nameWithin(user, WHOLE_NAME_CELLS);

function nameWithin(user: NamedUser, cells: number | undefined): string {
  if (!user) return "someone";
  return (user.name && cleanName(user.name, cells)) || cleanName(user.id, cells) || "someone";
}

/** Maximum length of a sent text, UTF-16 units: the channel's, or the user's own if that is less (R-SEND-2). */
export const longestText = (config: ChannelEntry["channel"]["config"], own: number | undefined): number =>
  Math.min(own ?? Infinity, config?.max_message_length ?? DEFAULT_MAX_MESSAGE_LENGTH);

/** What the title of a channel is made of. */
export type TitledChannel = Pick<ChannelEntry, "cid" | "channel" | "members" | "memberCount">;

/** A channel as the provider returns it. */
export const titledChannel = ({
  channel,
  members,
}: Pick<ChannelState, "channel" | "members">): TitledChannel => ({
  cid: channel.cid,
  channel,
  members: new Map(members.map((member) => [member.user_id, member])),
  memberCount: channel.member_count ?? members.length,
});

/** A generated id: a UUID, or a long run of letters and digits. */
const GENERATED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-|^(?=.*\d)[\w]{20,}$/i;

/** The id of a direct conversation at Slack, which an import keeps; its private groups have a name. */
const SLACK_DIRECT_ID = /^[DG][A-Z0-9]{8,}$/;

/**
 * A conversation without a name: a distinct channel, or a channel of two with a generated id or one made of their ids.
 * `deploys` with two members is the channel #deploys instead.
 */
export function isDirect({ channel, members, memberCount }: TitledChannel): boolean {
  if (channel.name) return false;
  if (channel.id.startsWith("!members") || SLACK_DIRECT_ID.test(channel.id)) return true;
  if (memberCount !== 2) return false;
  const isOfMembers = members.size === 2 && [...members.keys()].every((id) => channel.id.includes(id));
  return isOfMembers || GENERATED_ID.test(channel.id);
}

/** The other members of a direct channel, by name. */
export function otherMembers(entry: TitledChannel, me: string | undefined): User[] {
  return [...entry.members.values()]
    .filter((member) => member.user_id !== me)
    .map((member) => member.user ?? { id: member.user_id })
    .toSorted((a, b) => userName(a).localeCompare(userName(b), "en"));
}

/** In which time somebody answers on average: `5 min`; undefined where the app does not measure it, or nothing was measured yet. */
export const averageAnswer = (user: Pick<User, "avg_response_time"> | undefined): string | undefined =>
  user?.avg_response_time === undefined ? undefined : duration(user.avg_response_time * 1000);

/** `#general`, or the names of the other members; sanitized, one line. */
export const channelTitle = (entry: TitledChannel, me: string | undefined): string =>
  titleWithin(entry, me, undefined);

/** {@link channelTitle} with every name as it was written, for a place with several rows. */
export const wholeChannelTitle = (entry: TitledChannel, me: string | undefined): string =>
  titleWithin(entry, me, WHOLE_NAME_CELLS);

function titleWithin(entry: TitledChannel, me: string | undefined, cells: number | undefined): string {
  const name = entry.channel.name && cleanName(entry.channel.name, cells);
  if (name) return name.startsWith("#") ? name : `#${name}`;
  if (isDirect(entry)) {
    const names = otherMembers(entry, me).map((user) => nameWithin(user, cells));
    return names.length ? names.join(", ") : "note to self";
  }
  return `#${cleanName(splitCid(entry.cid)?.id ?? entry.cid) || "channel"}`;
}

/** The topic on one line; a custom field, so it may have any type. */
export function channelTopic(channel: object): string {
  const { topic } = channel as { topic?: unknown };
  return typeof topic === "string" ? cleanLine(topic) : "";
}

/** The title of a channel, even if it is not loaded. */
export function cidTitle(state: State, cid: string): string {
  const entry = state.channels.get(cid);
  return entry ? channelTitle(entry, state.me?.id) : `#${cleanName(splitCid(cid)?.id ?? cid) || "channel"}`;
}

/** Muted by the current user and not expired (R-MUTE-1). `now` = provider time, milliseconds. */
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

/** The sort keys of a channel: normalized times, compared as strings; empty if missing. */
interface Rank {
  entry: ChannelEntry;
  pinned: string;
  newest: string;
}

const rankCache = new WeakMap<ChannelEntry, Rank>();

function rankOf(entry: ChannelEntry): Rank {
  let rank = rankCache.get(entry);
  if (!rank) {
    const { channel, membership } = entry;
    const time = (text: string | null | undefined): string => (text && normalTime(text)) || "";
    rank = {
      entry,
      pinned: time(membership?.pinned_at),
      newest: time(channel.last_message_at ?? channel.created_at),
    };
    rankCache.set(entry, rank);
  }
  return rank;
}

const newestFirst = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1);

/** R-PIN-1: newest pin first, then newest activity, then by cid. */
const compareRanks = (a: Rank, b: Rank): number =>
  newestFirst(a.pinned, b.pinned) || newestFirst(a.newest, b.newest) || (a.entry.cid < b.entry.cid ? -1 : 1);

/** Cached because the order of a thousand channels is needed several times per frame. */
const listCache = new WeakMap<State["channels"], readonly ChannelEntry[]>();

/** Channels that are not hidden, unavailable or rejected, in the order of R-PIN. */
export function listedChannels({ channels }: Pick<State, "channels">): readonly ChannelEntry[] {
  let list = listCache.get(channels);
  if (!list) {
    list = [...channels.values()]
      .filter((e) => !e.hidden && !e.unavailable && !isRejected(e.membership))
      .map(rankOf)
      .toSorted(compareRanks)
      .map(({ entry }) => entry);
    listCache.set(channels, list);
  }
  return list;
}

/** Unread channels: mentions first, then direct ones, then others; without muted and archived ones (specification/screen.md §1). */
export function channelsWithUnread(state: State, now: number): ChannelEntry[] {
  const rank = (e: ChannelEntry): number => (e.mentions > 0 ? 0 : isDirect(e) ? 1 : 2);
  return listedChannels(state)
    .filter((e) => e.unread > 0 && groupOf(e) !== "archived" && !isMuted(state, e.cid, now))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** R-TYPE-7: the names of users typing in a channel or a thread, without muted ones. `now` = provider time, milliseconds. */
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
