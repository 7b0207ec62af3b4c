/** Endpoints of channels, members and read state. */
import type { Channel, ChannelState, Member } from "../channel.ts";
import type { AnyEvent } from "../events.ts";
import type { Message } from "../message.ts";
import type { ChannelMute, OwnUser } from "../user.ts";
import type { channelBodies } from "../bodies/channels.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ChannelPath, ActAs } from "./row.ts";

export type QueryChannelsBody = Body<"queryChannels">;

export type QueryChannelBody = Body<"queryChannel">;

export type UpdateChannelBody = Body<"updateChannel">;

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

type Body<K extends keyof typeof channelBodies> = Infer<(typeof channelBodies)[K]>;

export const channelsEndpoints = {
  queryChannels: row<object, object, Body<"queryChannels">, { channels: ChannelState[] }>(
    "QueryChannels",
    "POST",
    "/channels",
    { safe: true, perMinute: 10_000 },
  ),
  queryChannel: row<ChannelPath, object, Body<"queryChannel">, ChannelState>(
    "GetOrCreateChannel",
    "POST",
    "/channels/{type}/{id}/query",
    { idempotent: true, perMinute: 10_000 },
  ),
  queryDistinctChannel: row<{ type: string }, object, Body<"queryDistinctChannel">, ChannelState>(
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
    Body<"updateChannel">,
    { channel: Channel; members: Member[]; message?: Message }
  >("UpdateChannel", "POST", "/channels/{type}/{id}"),
  updateChannelPartial: row<
    ChannelPath,
    object,
    Body<"updateChannelPartial">,
    { channel: Channel; members: Member[] }
  >("UpdateChannelPartial", "PATCH", "/channels/{type}/{id}"),
  deleteChannel: row<
    ChannelPath,
    { hard_delete?: boolean; user_id?: string },
    undefined,
    { channel: Channel }
  >("DeleteChannel", "DELETE", "/channels/{type}/{id}", { perMinute: 60 }),
  truncateChannel: row<ChannelPath, object, Body<"truncateChannel">, { channel: Channel; message?: Message }>(
    "TruncateChannel",
    "POST",
    "/channels/{type}/{id}/truncate",
    { perMinute: 60 },
  ),
  hideChannel: row<ChannelPath, object, Body<"hideChannel">>(
    "HideChannel",
    "POST",
    "/channels/{type}/{id}/hide",
    { idempotent: true },
  ),
  showChannel: row<ChannelPath, object, Body<"showChannel">>(
    "ShowChannel",
    "POST",
    "/channels/{type}/{id}/show",
    {
      idempotent: true,
    },
  ),
  stopWatching: row<ChannelPath, object, Body<"stopWatching">>(
    "StopWatchingChannel",
    "POST",
    "/channels/{type}/{id}/stop-watching",
    { safe: true, perMinute: 1000 },
  ),
  markRead: row<ChannelPath, object, Body<"markRead">, { event?: AnyEvent }>(
    "MarkRead",
    "POST",
    "/channels/{type}/{id}/read",
    { idempotent: true, perMinute: 10_000 },
  ),
  markUnread: row<ChannelPath, object, Body<"markUnread">>(
    "MarkUnread",
    "POST",
    "/channels/{type}/{id}/unread",
    { idempotent: true },
  ),
  markChannelsRead: row<object, object, Body<"markChannelsRead">, { event?: AnyEvent }>(
    "MarkChannelsRead",
    "POST",
    "/channels/read",
    { idempotent: true, perMinute: 10_000 },
  ),
  markDelivered: row<object, ActAs, Body<"markDelivered">>("MarkDelivered", "POST", "/channels/delivered", {
    idempotent: true,
  }),
  getUnread: row<object, ActAs, undefined, UnreadReply>("GetUnread", "GET", "/unread"),
  sendEvent: row<ChannelPath, object, Body<"sendEvent">, { event: AnyEvent }>(
    "SendEvent",
    "POST",
    "/channels/{type}/{id}/event",
    { perMinute: 10_000 },
  ),
  updateMemberPartial: row<
    ChannelPath & { user_id: string },
    object,
    Body<"updateMemberPartial">,
    { channel_member: Member }
  >("UpdateMemberPartial", "PATCH", "/channels/{type}/{id}/member/{user_id}"),
  updateMemberPartialByQuery: row<
    ChannelPath,
    ActAs,
    Body<"updateMemberPartialByQuery">,
    { channel_member: Member }
  >("UpdateMemberPartial", "PATCH", "/channels/{type}/{id}/member"),
  queryMembers: row<object, Body<"queryMembers">, undefined, { members: Member[] }>(
    "QueryMembers",
    "GET",
    "/members",
    { payload: true },
  ),
  muteChannel: row<
    object,
    object,
    Body<"muteChannel">,
    { channel_mute?: ChannelMute; channel_mutes?: ChannelMute[]; own_user?: OwnUser }
  >("MuteChannel", "POST", "/moderation/mute/channel", { idempotent: true }),
  unmuteChannel: row<object, object, Body<"unmuteChannel">>(
    "UnmuteChannel",
    "POST",
    "/moderation/unmute/channel",
    { idempotent: true },
  ),
} as const;
