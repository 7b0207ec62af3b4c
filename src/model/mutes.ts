/** Mutes and blocks; expiry is checked on use (R-MUTE-1…3). */
import { timeToMs } from "../wire/time.ts";
import type { OwnUser } from "../wire/entities/user.ts";
import type { ChannelEntry } from "./state.ts";

/** Active when `expires` is absent or in the future; `now` is provider time in milliseconds. */
export function isActive(mute: { expires?: string | null }, now: number): boolean {
  return !mute.expires || !(timeToMs(mute.expires) <= now);
}

export function isChannelMuted(me: OwnUser | undefined, cid: string, now: number): boolean {
  return me?.channel_mutes?.some((mute) => mute.channel?.cid === cid && isActive(mute, now)) ?? false;
}

export function isUserMuted(me: OwnUser | undefined, userId: string, now: number): boolean {
  return me?.mutes?.some((mute) => mute.target?.id === userId && isActive(mute, now)) ?? false;
}

/** A blocked user counts only in a channel of two (specification/events.md §7). */
export function isBlockedIn(me: OwnUser | undefined, entry: ChannelEntry, userId: string): boolean {
  return entry.memberCount === 2 && (me?.blocked_user_ids?.includes(userId) ?? false);
}
