/** Endpoints of channels, members and read state. */
import { ChannelState } from "../entities/channel.ts";
import type { channelBodies } from "../bodies/channels.ts";
import { anyEvent } from "../events.ts";
import {
  entity,
  flag,
  id,
  list,
  map,
  need,
  object,
  shape,
  text,
  time,
  whole,
  type Infer,
} from "../entities/fields.ts";
import { actAs, row, withOperations } from "./row.ts";

export type QueryChannelsBody = Infer<typeof channelBodies.queryChannels>;

export type QueryChannelBody = Infer<typeof channelBodies.queryChannel>;

export type UpdateChannelBody = Infer<typeof channelBodies.updateChannel>;

export const UnreadReply = shape(() => ({
  total_unread_count: need(whole()),
  total_unread_threads_count: need(whole()),
  /** `channel_id` holds the cid. */
  channels: need(
    list(object({ channel_id: need(text()), unread_count: need(whole()), last_read: need(time()) })),
  ),
  channel_type: need(
    list(object({ channel_type: need(text()), channel_count: need(whole()), unread_count: need(whole()) })),
  ),
  threads: need(
    list(
      object({
        parent_message_id: need(text()),
        unread_count: need(whole()),
        last_read: need(time()),
        last_read_message_id: need(text()),
      }),
    ),
  ),
  total_unread_count_by_team: map(whole()),
}));
export interface UnreadReply extends Infer<typeof UnreadReply> {}

export const channelsEndpoints = withOperations({
  queryChannels: row("POST /channels", {
    safe: true,
    perMinute: 10_000,
    answer: () => ({ channels: need(list(entity("ChannelState"))) }),
  }),
  queryChannel: row("POST /channels/{type}/{id}/query", {
    op: "GetOrCreateChannel",
    idempotent: true,
    perMinute: 10_000,
    answer: ChannelState,
  }),
  queryDistinctChannel: row("POST /channels/{type}/query", {
    op: "GetOrCreateChannel",
    idempotent: true,
    perMinute: 10_000,
    answer: ChannelState,
  }),
  getChannel: row("GET /channels/{type}/{id}", {
    source: "v2",
    perMinute: 10_000,
    query: {
      state: flag(),
      messages_limit: whole(),
      messages_id_lt: id(),
      messages_id_lte: id(),
      messages_id_gt: id(),
      messages_id_gte: id(),
      messages_id_around: id(),
      members_limit: whole(),
      watchers_limit: whole(),
      ...actAs,
    },
    answer: ChannelState,
  }),
  updateChannel: row("POST /channels/{type}/{id}", {
    answer: () => ({
      channel: need(entity("Channel")),
      members: need(list(entity("Member"))),
      message: entity("Message"),
    }),
  }),
  updateChannelPartial: row("PATCH /channels/{type}/{id}", {
    answer: () => ({ channel: need(entity("Channel")), members: need(list(entity("Member"))) }),
  }),
  deleteChannel: row("DELETE /channels/{type}/{id}", {
    perMinute: 60,
    query: { hard_delete: flag(), ...actAs },
    answer: () => ({ channel: need(entity("Channel")) }),
  }),
  truncateChannel: row("POST /channels/{type}/{id}/truncate", {
    perMinute: 60,
    answer: () => ({ channel: need(entity("Channel")), message: entity("Message") }),
  }),
  hideChannel: row("POST /channels/{type}/{id}/hide", { idempotent: true }),
  showChannel: row("POST /channels/{type}/{id}/show", { idempotent: true }),
  stopWatching: row("POST /channels/{type}/{id}/stop-watching", {
    source: "ours",
    op: "StopWatchingChannel",
    safe: true,
    perMinute: 1000,
  }),
  markRead: row("POST /channels/{type}/{id}/read", {
    idempotent: true,
    perMinute: 10_000,
    answer: () => ({ event: anyEvent }),
  }),
  markUnread: row("POST /channels/{type}/{id}/unread", { idempotent: true }),
  markChannelsRead: row("POST /channels/read", {
    idempotent: true,
    perMinute: 10_000,
    answer: () => ({ event: anyEvent }),
  }),
  markDelivered: row("POST /channels/delivered", { idempotent: true, query: actAs }),
  getUnread: row("GET /unread", { query: actAs, answer: UnreadReply }),
  sendEvent: row("POST /channels/{type}/{id}/event", {
    perMinute: 10_000,
    answer: () => ({ event: need(anyEvent) }),
  }),
  updateMemberPartial: row("PATCH /channels/{type}/{id}/member/{user_id}", {
    answer: () => ({ channel_member: need(entity("Member")) }),
  }),
  updateMemberPartialByQuery: row("PATCH /channels/{type}/{id}/member", {
    source: "v2",
    op: "UpdateMemberPartial",
    query: actAs,
    answer: () => ({ channel_member: need(entity("Member")) }),
  }),
  queryMembers: row("GET /members", {
    payload: true,
    answer: () => ({ members: need(list(entity("Member"))) }),
  }),
  muteChannel: row("POST /moderation/mute/channel", {
    idempotent: true,
    answer: () => ({
      channel_mute: entity("ChannelMute"),
      channel_mutes: list(entity("ChannelMute")),
      own_user: entity("OwnUser"),
    }),
  }),
  unmuteChannel: row("POST /moderation/unmute/channel", { idempotent: true }),
});
