/** Endpoints of channels, members and read state. */
import type { Channel, ChannelInput, ChannelState, Member } from "../channel.ts";
import type { AnyEvent } from "../events.ts";
import type { Message, MessageInput } from "../message.ts";
import type { Filter, MessagePagination, Sort } from "../query.ts";
import type { ChannelMute, OwnUser } from "../user.ts";
import { row } from "./row.ts";
import type { ChannelPath, ActAs, Acting, PartialBody } from "./row.ts";

export interface QueryChannelsBody extends Acting {
  filter_conditions?: Filter;
  sort?: Sort;
  state?: boolean;
  watch?: boolean;
  presence?: boolean;
  limit?: number;
  offset?: number;
  message_limit?: number;
  member_limit?: number;
  /** Custom fields of the authors' memberships that ride on `message.member`; at most eight. */
  member_custom_include?: string[];
}

export interface QueryChannelBody extends Acting {
  data?: ChannelInput;
  state?: boolean;
  watch?: boolean;
  presence?: boolean;
  messages?: MessagePagination;
  members?: { limit?: number; offset?: number };
  watchers?: { limit?: number; offset?: number };
  hide_for_creator?: boolean;
  thread_unread_counts?: boolean;
}

export interface UpdateChannelBody extends Acting {
  data?: ChannelInput | null;
  message?: MessageInput | null;
  add_members?: (string | { user_id: string; channel_role?: string })[];
  remove_members?: string[];
  add_moderators?: string[];
  demote_moderators?: string[];
  assign_roles?: { user_id: string; channel_role: string }[];
  invites?: (string | { user_id: string; channel_role?: string })[];
  accept_invite?: boolean;
  reject_invite?: boolean;
  hide_history?: boolean;
  /** RFC 3339. */
  hide_history_before?: string;
  add_filter_tags?: string[];
  remove_filter_tags?: string[];
  cooldown?: number;
  skip_push?: boolean;
}

export interface QueryMembersPayload {
  type: string;
  id?: string;
  members?: { user_id: string }[];
  filter_conditions?: Filter;
  sort?: Sort;
  limit?: number;
  offset?: number;
  user_id?: string;
  [cursor: `user_id_${string}` | `created_at_${string}`]: unknown;
}

export interface UnreadReply {
  total_unread_count: number;
  total_unread_threads_count: number;
  /** `channel_id` holds the cid. */
  channels: { channel_id: string; unread_count: number; last_read: string }[];
  channel_type: { channel_type: string; channel_count: number; unread_count: number }[];
  threads: {
    parent_message_id: string;
    unread_count: number;
    last_read: string;
    last_read_message_id: string;
  }[];
  total_unread_count_by_team?: Record<string, number>;
}

export const channelsEndpoints = {
  queryChannels: row<object, object, QueryChannelsBody, { channels: ChannelState[] }>(
    "QueryChannels",
    "POST",
    "/channels",
    { safe: true, perMinute: 10_000 },
  ),
  queryChannel: row<ChannelPath, object, QueryChannelBody, ChannelState>(
    "GetOrCreateChannel",
    "POST",
    "/channels/{type}/{id}/query",
    { idempotent: true, perMinute: 10_000 },
  ),
  queryDistinctChannel: row<{ type: string }, object, QueryChannelBody, ChannelState>(
    "GetOrCreateChannel",
    "POST",
    "/channels/{type}/query",
    { idempotent: true, perMinute: 10_000 },
  ),
  getChannel: row<
    ChannelPath,
    {
      state?: boolean;
      messages_limit?: number;
      messages_id_lt?: string;
      messages_id_lte?: string;
      messages_id_gt?: string;
      messages_id_gte?: string;
      messages_id_around?: string;
      members_limit?: number;
      watchers_limit?: number;
      user_id?: string;
    },
    undefined,
    ChannelState
  >("GetChannel", "GET", "/channels/{type}/{id}", { perMinute: 10_000 }),
  updateChannel: row<
    ChannelPath,
    object,
    UpdateChannelBody,
    { channel: Channel; members: Member[]; message?: Message }
  >("UpdateChannel", "POST", "/channels/{type}/{id}"),
  updateChannelPartial: row<ChannelPath, object, PartialBody, { channel: Channel; members: Member[] }>(
    "UpdateChannelPartial",
    "PATCH",
    "/channels/{type}/{id}",
  ),
  deleteChannel: row<
    ChannelPath,
    { hard_delete?: boolean; user_id?: string },
    undefined,
    { channel: Channel }
  >("DeleteChannel", "DELETE", "/channels/{type}/{id}", { perMinute: 60 }),
  truncateChannel: row<
    ChannelPath,
    object,
    Acting & {
      hard_delete?: boolean;
      skip_push?: boolean;
      truncated_at?: string;
      message?: MessageInput;
      /** Only these members lose the history. */
      member_ids?: string[];
    },
    { channel: Channel; message?: Message }
  >("TruncateChannel", "POST", "/channels/{type}/{id}/truncate", { perMinute: 60 }),
  hideChannel: row<ChannelPath, object, Acting & { clear_history?: boolean }>(
    "HideChannel",
    "POST",
    "/channels/{type}/{id}/hide",
    { idempotent: true },
  ),
  showChannel: row<ChannelPath, object, Acting>("ShowChannel", "POST", "/channels/{type}/{id}/show", {
    idempotent: true,
  }),
  stopWatching: row<ChannelPath, object, object>(
    "StopWatchingChannel",
    "POST",
    "/channels/{type}/{id}/stop-watching",
    { safe: true, perMinute: 1000 },
  ),
  markRead: row<
    ChannelPath,
    object,
    Acting & { message_id?: string; thread_id?: string },
    { event?: AnyEvent }
  >("MarkRead", "POST", "/channels/{type}/{id}/read", { idempotent: true, perMinute: 10_000 }),
  markUnread: row<
    ChannelPath,
    object,
    Acting & { message_id?: string; message_timestamp?: string; thread_id?: string }
  >("MarkUnread", "POST", "/channels/{type}/{id}/unread", { idempotent: true }),
  markChannelsRead: row<
    object,
    object,
    Acting & { read_by_channel?: Record<string, string> },
    { event?: AnyEvent }
  >("MarkChannelsRead", "POST", "/channels/read", { idempotent: true, perMinute: 10_000 }),
  markDelivered: row<object, ActAs, { latest_delivered_messages: { cid: string; id: string }[] }>(
    "MarkDelivered",
    "POST",
    "/channels/delivered",
    { idempotent: true },
  ),
  getUnread: row<object, ActAs, undefined, UnreadReply>("GetUnread", "GET", "/unread"),
  sendEvent: row<
    ChannelPath,
    object,
    { event: { type: string; parent_id?: string; user_id?: string; [custom: string]: unknown } },
    { event: AnyEvent }
  >("SendEvent", "POST", "/channels/{type}/{id}/event", { perMinute: 10_000 }),
  updateMemberPartial: row<
    ChannelPath & { user_id: string },
    object,
    PartialBody,
    { channel_member: Member }
  >("UpdateMemberPartial", "PATCH", "/channels/{type}/{id}/member/{user_id}"),
  updateMemberPartialByQuery: row<ChannelPath, ActAs, PartialBody, { channel_member: Member }>(
    "UpdateMemberPartial",
    "PATCH",
    "/channels/{type}/{id}/member",
  ),
  queryMembers: row<object, QueryMembersPayload, undefined, { members: Member[] }>(
    "QueryMembers",
    "GET",
    "/members",
    { payload: true },
  ),
  muteChannel: row<
    object,
    object,
    Acting & { channel_cid?: string; channel_cids?: string[]; expiration?: number },
    { channel_mute?: ChannelMute; channel_mutes?: ChannelMute[]; own_user?: OwnUser }
  >("MuteChannel", "POST", "/moderation/mute/channel", { idempotent: true }),
  unmuteChannel: row<object, object, Acting & { channel_cid?: string; channel_cids?: string[] }>(
    "UnmuteChannel",
    "POST",
    "/moderation/unmute/channel",
    { idempotent: true },
  ),
} as const;
