/** Channels, members and reads in answers and events. */
import { notOver } from "../../../store/table.ts";
import type { Channel, Member, Read } from "../../../../wire/entities/channel.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { configOf } from "../../access/storage/access.ts";
import { type ChannelRow, type MemberRow, type ReadRow, channelsAmong } from "../storage/rows.ts";
import type { Fields } from "../../validation/check.ts";
import { capabilitiesOf } from "../../access/view/capabilities.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { blockedAuthor } from "../../users/storage/blocks-in-pairs.ts";
import type { People } from "../../users/view/users.ts";
import { memberRows } from "../storage/members.ts";
import { deletedForMe } from "../../messages/storage/deleted-for-me.ts";
import { channelMutes } from "../storage/mutes.ts";

/** The channel without personal fields, as in events. */
export function channelView(people: People, row: ChannelRow): Channel {
  const config = configOf(people.db, row.type, row.overrides);
  const channel: Channel & Fields = {
    ...(JSON.parse(row.data) as Fields),
    id: row.id,
    type: row.type,
    cid: row.cid,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
    created_by: people.get(row.created_by),
    member_count: row.member_count,
    frozen: row.frozen === 1,
    disabled: row.disabled === 1,
    cooldown: row.cooldown,
    filter_tags: JSON.parse(row.filter_tags) as string[],
  };
  if (config) channel.config = config;
  if (config?.count_messages) channel.message_count = row.message_count;
  if (row.last_message_at !== null) channel.last_message_at = timeFromMicros(row.last_message_at);
  if (row.team !== null) channel.team = row.team;
  if (row.auto_translation_enabled === 1) channel.auto_translation_enabled = true;
  if (row.auto_translation_language !== null)
    channel.auto_translation_language = row.auto_translation_language;
  if (row.deleted_at !== null) channel.deleted_at = timeFromMicros(row.deleted_at);
  if (row.truncated_at !== null) channel.truncated_at = timeFromMicros(row.truncated_at);
  if (row.truncated_by !== null) channel.truncated_by = people.get(row.truncated_by);
  return channel;
}

/** Channels by cid, also deleted ones, without personal fields. */
export function channelsByCid(people: People, cids: readonly string[]): Map<string, Channel> {
  const rows = channelsAmong(people.db, [...new Set(cids)]);
  return new Map(rows.map((row) => [row.cid, channelView(people, row)]));
}

/** Whether it is a two-member channel with a user whom the caller has blocked; it is hidden until the block ends (BL-2). */
const isBlocked = (db: Database, { channel, member, userId }: Permissions): boolean =>
  member !== undefined && channel.member_count === 2 && blockedAuthor(db, channel.cid, userId!) !== undefined;

/** The channel with the caller's capabilities and hidden and muted flags. */
export function channelFor(db: Database, people: People, permissions: Permissions, now: number): Channel {
  const channel = channelView(people, permissions.channel);
  channel.own_capabilities = capabilitiesOf(permissions, now);
  const blocked = isBlocked(db, permissions);
  channel.hidden = permissions.member?.hidden_at != null || blocked;
  if (blocked) channel.blocked = true;
  if (permissions.member?.hide_before != null)
    channel.hide_messages_before = timeFromMicros(permissions.member.hide_before);
  const mute =
    permissions.userId === undefined
      ? undefined
      : channelMutes.find(db, {
          cid: permissions.channel.cid,
          user_id: permissions.userId,
          expires: notOver(now),
        });
  channel.muted = mute !== undefined;
  if (mute && mute.expires !== null) channel.mute_expires_at = timeFromMicros(mute.expires);
  return channel;
}

function statusOf(row: MemberRow): NonNullable<Member["status"]> {
  if (row.invited === 0) return "member";
  if (row.invite_accepted_at !== null) return "accepted";
  return row.invite_rejected_at === null ? "pending" : "rejected";
}

/** `shadowBan`: includes the shadow ban; never in events, which reach the banned user, too (specification/moderation.md §2.1). */
export function memberView(people: People, row: MemberRow, createdBy?: string, shadowBan = false): Member {
  const shadowBanned = shadowBan && row.shadow_banned === 1;
  const moderator = row.channel_role === "channel_moderator";
  return {
    ...(row.data === "{}" ? {} : (JSON.parse(row.data) as Fields)),
    user_id: row.user_id,
    user: people.get(row.user_id),
    channel_role: row.channel_role,
    role: createdBy === row.user_id ? "owner" : moderator ? "moderator" : "member",
    is_moderator: moderator,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
    invited: row.invited === 1,
    ...(row.invite_accepted_at === null
      ? {}
      : { invite_accepted_at: timeFromMicros(row.invite_accepted_at) }),
    ...(row.invite_rejected_at === null
      ? {}
      : { invite_rejected_at: timeFromMicros(row.invite_rejected_at) }),
    status: statusOf(row),
    banned: row.banned === 1,
    ...(row.ban_expires !== null && (shadowBanned || row.banned === 1)
      ? { ban_expires: timeFromMicros(row.ban_expires) }
      : {}),
    shadow_banned: shadowBanned,
    ...(row.pinned_at === null ? {} : { pinned_at: timeFromMicros(row.pinned_at) }),
    ...(row.archived_at === null ? {} : { archived_at: timeFromMicros(row.archived_at) }),
    notifications_muted: false,
  };
}

/** The caller's own membership: also lists the messages that the caller deleted for itself. */
export function membershipView(db: Database, people: People, row: MemberRow, createdBy: string): Member {
  return {
    ...memberView(people, row, createdBy),
    deleted_messages: deletedForMe(db, row.user_id, row.cid),
  };
}

export function readView(people: People, row: ReadRow): Read {
  return {
    user: people.get(row.user_id),
    last_read: timeFromMicros(row.last_read),
    ...(row.last_read_id === null ? {} : { last_read_message_id: row.last_read_id }),
    unread_messages: row.unread,
    ...(row.delivered_at === null ? {} : { last_delivered_at: timeFromMicros(row.delivered_at) }),
    ...(row.delivered_id === null ? {} : { last_delivered_message_id: row.delivered_id }),
  };
}

/** The first members, for answers about a changed channel. */
export function memberList(db: Database, people: People, channel: ChannelRow, limit = 100): Member[] {
  const rows = memberRows(db, channel.cid, limit);
  people.load(rows.map(({ user_id }) => user_id));
  return rows.map((row) => memberView(people, row, channel.created_by));
}
