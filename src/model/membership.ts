/** Invites, and what prevents a user from posting in a channel. */
import type { Channel, Member } from "../wire/entities/channel.ts";
import { timeToMs } from "../wire/time.ts";
import type { OwnUser } from "../wire/entities/user.ts";

type Invite = Pick<Member, "invited" | "status" | "invite_accepted_at" | "invite_rejected_at">;

/** Events after which the user is no longer a member or the channel no longer exists. */
export const CHANNEL_ENDS: ReadonlySet<string> = new Set([
  "channel.deleted",
  "notification.channel_deleted",
  "notification.removed_from_channel",
]);

/** The user whom `member.removed` is about. */
export function removedMemberId(event: {
  member?: Partial<Member>;
  user?: { id: string };
}): string | undefined {
  return event.member?.user_id ?? event.member?.user?.id ?? event.user?.id;
}

/** Invited and not answered yet (specification/channels.md §7). */
export function isPending(member: Invite | undefined): boolean {
  if (!member?.invited) return false;
  if (member.status !== undefined) return member.status === "pending";
  return !member.invite_accepted_at && !member.invite_rejected_at;
}

/** Rejected the invite; the provider keeps the member record. */
export function isRejected(member: Invite | undefined): boolean {
  if (!member?.invited) return false;
  return member.status === undefined ? Boolean(member.invite_rejected_at) : member.status === "rejected";
}

/** Why the user cannot post; `until` = when that ends, if known, ms since the epoch. */
interface PostingBlock {
  kind: "gone" | "disabled" | "bannedEverywhere" | "banned" | "frozen";
  until?: number;
}

/** What decides whether a user may post; the user's entry in a member list may replace `membership`. */
interface PostingState {
  channel: Pick<Channel, "disabled" | "frozen" | "own_capabilities">;
  membership: Pick<Member, "banned" | "ban_expires"> | undefined;
  me: Pick<OwnUser, "banned" | "ban_expires"> | undefined;
  unavailable: boolean;
}

/** An active ban; the provider lifts a ban when it expires (specification/moderation.md §2). */
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

/** The first reason that prevents posting. `now` is provider time in milliseconds. */
export function postingBlock(
  { channel, membership, me, unavailable }: PostingState,
  now: number,
): PostingBlock | undefined {
  if (unavailable) return { kind: "gone" };
  if (channel.disabled) return { kind: "disabled" };
  const banned = ban("bannedEverywhere", me, now) ?? ban("banned", membership, now);
  if (banned) return banned;
  // Roles with the capability may write in a frozen channel.
  if (channel.frozen && !channel.own_capabilities?.includes("send-message")) return { kind: "frozen" };
  return undefined;
}
