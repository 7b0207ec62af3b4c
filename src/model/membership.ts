/** Whether a user may post in a channel: invited, banned, or shut out because it is frozen or disabled. */
import type { Channel, Member } from "../wire/entities/channel.ts";
import { timeToMs } from "../wire/time.ts";
import type { OwnUser } from "../wire/entities/user.ts";

type Invite = Pick<Member, "invited" | "status" | "invite_accepted_at" | "invite_rejected_at">;

/** Events after which the user is in the channel no longer, or the channel is not there. */
export const CHANNEL_ENDS: ReadonlySet<string> = new Set([
  "channel.deleted",
  "notification.channel_deleted",
  "notification.removed_from_channel",
]);

/** Invited and not answered yet (specification/channels.md §7). */
export function isPending(member: Invite | undefined): boolean {
  if (!member?.invited) return false;
  if (member.status !== undefined) return member.status === "pending";
  return !member.invite_accepted_at && !member.invite_rejected_at;
}

/** Has said no to the invite; the provider keeps the record. */
export function isRejected(member: Invite | undefined): boolean {
  if (!member?.invited) return false;
  return member.status === undefined ? Boolean(member.invite_rejected_at) : member.status === "rejected";
}

/** Why nothing can be posted; `until` = milliseconds since the epoch, where an end is known. */
interface PostingBlock {
  kind: "gone" | "disabled" | "bannedEverywhere" | "banned" | "frozen";
  until?: number;
}

/** What of the channel and of the user decides; the own member of a list stands in where no membership was told. */
interface PostingState {
  channel: Pick<Channel, "disabled" | "frozen" | "own_capabilities">;
  membership: Pick<Member, "banned" | "ban_expires"> | undefined;
  me: Pick<OwnUser, "banned" | "ban_expires"> | undefined;
  /** Deleted or no longer readable. */
  unavailable: boolean;
}

/** A ban whose end has passed is none: the provider lifts it then (specification/moderation.md §2). */
function ban(
  kind: "bannedEverywhere" | "banned",
  holder: { banned?: boolean; ban_expires?: string | null } | undefined,
  now: number,
): PostingBlock | undefined {
  if (!holder?.banned) return undefined;
  const until = holder.ban_expires ? timeToMs(holder.ban_expires) : Number.NaN;
  if (Number.isNaN(until)) return { kind };
  return until > now ? { kind, until } : undefined;
}

/** The first thing that keeps the user from posting. `now` is provider time in milliseconds. */
export function postingBlock(
  { channel, membership, me, unavailable }: PostingState,
  now: number,
): PostingBlock | undefined {
  if (unavailable) return { kind: "gone" };
  if (channel.disabled) return { kind: "disabled" };
  const banned = ban("bannedEverywhere", me, now) ?? ban("banned", membership, now);
  if (banned) return banned;
  // Some roles may write in a frozen channel: their capabilities say so.
  if (channel.frozen && !channel.own_capabilities?.includes("send-message")) return { kind: "frozen" };
  return undefined;
}
