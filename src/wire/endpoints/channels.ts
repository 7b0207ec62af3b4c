/** Endpoints of channels, members and read state. */
import type { Channel, ChannelState, Member } from "../entities/channel.ts";
import type { AnyEvent } from "../events.ts";
import type { Message } from "../entities/message.ts";
import type { ChannelMute, OwnUser } from "../entities/user.ts";
import type { channelBodies } from "../bodies/channels.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ChannelPath, type ActAs } from "./row.ts";

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

export const channelsEndpoints = withOperations({
  queryChannels: row<{ channels: ChannelState[] }, Body<"queryChannels">>("POST /channels", {
    safe: true,
    perMinute: 10_000,
  }),
  queryChannel: row<ChannelState, Body<"queryChannel">, ChannelPath>("POST /channels/{type}/{id}/query", {
    op: "GetOrCreateChannel",
    idempotent: true,
    perMinute: 10_000,
  }),
  queryDistinctChannel: row<ChannelState, Body<"queryDistinctChannel">, { type: string }>(
    "POST /channels/{type}/query",
    { op: "GetOrCreateChannel", idempotent: true, perMinute: 10_000 },
  ),
  getChannel: row<
    ChannelState,
    undefined,
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
    }
  >("GET /channels/{type}/{id}", { perMinute: 10_000 }),
  updateChannel: row<
    { channel: Channel; members: Member[]; message?: Message },
    Body<"updateChannel">,
    ChannelPath
  >("POST /channels/{type}/{id}"),
  updateChannelPartial: row<
    { channel: Channel; members: Member[] },
    Body<"updateChannelPartial">,
    ChannelPath
  >("PATCH /channels/{type}/{id}"),
  deleteChannel: row<
    { channel: Channel },
    undefined,
    ChannelPath,
    { hard_delete?: boolean; user_id?: string }
  >("DELETE /channels/{type}/{id}", { perMinute: 60 }),
  truncateChannel: row<{ channel: Channel; message?: Message }, Body<"truncateChannel">, ChannelPath>(
    "POST /channels/{type}/{id}/truncate",
    { perMinute: 60 },
  ),
  hideChannel: row<object, Body<"hideChannel">, ChannelPath>("POST /channels/{type}/{id}/hide", {
    idempotent: true,
  }),
  showChannel: row<object, Body<"showChannel">, ChannelPath>("POST /channels/{type}/{id}/show", {
    idempotent: true,
  }),
  stopWatching: row<object, Body<"stopWatching">, ChannelPath>("POST /channels/{type}/{id}/stop-watching", {
    op: "StopWatchingChannel",
    safe: true,
    perMinute: 1000,
  }),
  markRead: row<{ event?: AnyEvent }, Body<"markRead">, ChannelPath>("POST /channels/{type}/{id}/read", {
    idempotent: true,
    perMinute: 10_000,
  }),
  markUnread: row<object, Body<"markUnread">, ChannelPath>("POST /channels/{type}/{id}/unread", {
    idempotent: true,
  }),
  markChannelsRead: row<{ event?: AnyEvent }, Body<"markChannelsRead">>("POST /channels/read", {
    idempotent: true,
    perMinute: 10_000,
  }),
  markDelivered: row<object, Body<"markDelivered">, object, ActAs>("POST /channels/delivered", {
    idempotent: true,
  }),
  getUnread: row<UnreadReply, undefined, object, ActAs>("GET /unread"),
  sendEvent: row<{ event: AnyEvent }, Body<"sendEvent">, ChannelPath>("POST /channels/{type}/{id}/event", {
    perMinute: 10_000,
  }),
  updateMemberPartial: row<
    { channel_member: Member },
    Body<"updateMemberPartial">,
    ChannelPath & { user_id: string }
  >("PATCH /channels/{type}/{id}/member/{user_id}"),
  updateMemberPartialByQuery: row<
    { channel_member: Member },
    Body<"updateMemberPartialByQuery">,
    ChannelPath,
    ActAs
  >("PATCH /channels/{type}/{id}/member", { op: "UpdateMemberPartial" }),
  queryMembers: row<{ members: Member[] }, undefined, object, Body<"queryMembers">>("GET /members", {
    payload: true,
  }),
  muteChannel: row<
    { channel_mute?: ChannelMute; channel_mutes?: ChannelMute[]; own_user?: OwnUser },
    Body<"muteChannel">
  >("POST /moderation/mute/channel", { idempotent: true }),
  unmuteChannel: row<object, Body<"unmuteChannel">>("POST /moderation/unmute/channel", { idempotent: true }),
});
