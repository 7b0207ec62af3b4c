/** How the own user stands in a channel: invited, banned, or shut out because it is frozen or disabled. */
import type { Member } from "../../wire/channel.ts";
import { timeToMs } from "../../wire/time.ts";
import type { ChannelEntry, State } from "./model.ts";

/** Invited and not answered yet (channels.md §7). */
export function isPending(member: Member | undefined): boolean {
  if (!member?.invited) return false;
  if (member.status !== undefined) return member.status === "pending";
  return !member.invite_accepted_at && !member.invite_rejected_at;
}

/** Why nothing can be posted; `until` = milliseconds since the epoch, where an end is known. */
export interface Barrier {
  kind: "gone" | "disabled" | "bannedEverywhere" | "banned" | "frozen";
  until?: number;
}

/** A ban whose end has passed is none: the provider lifts it then (moderation.md §2). */
function ban(
  kind: "bannedEverywhere" | "banned",
  holder: { banned?: boolean; ban_expires?: string | null } | undefined,
  now: number,
): Barrier | undefined {
  if (!holder?.banned) return undefined;
  const until = holder.ban_expires ? timeToMs(holder.ban_expires) : Number.NaN;
  if (Number.isNaN(until)) return { kind };
  return until > now ? { kind, until } : undefined;
}

/** The first thing that keeps the own user from posting here. `now` is provider time in milliseconds. */
export function barrier(state: State, entry: ChannelEntry, now: number): Barrier | undefined {
  if (entry.unavailable) return { kind: "gone" };
  if (entry.channel.disabled) return { kind: "disabled" };
  const banned =
    ban("bannedEverywhere", state.me, now) ?? ban("banned", entry.membership ?? ownMember(state, entry), now);
  if (banned) return banned;
  // Some roles may write in a frozen channel: their capabilities say so.
  if (entry.channel.frozen && !entry.channel.own_capabilities?.includes("send-message"))
    return { kind: "frozen" };
  return undefined;
}

const ownMember = (state: State, entry: ChannelEntry): Member | undefined =>
  state.me && entry.members.get(state.me.id);
