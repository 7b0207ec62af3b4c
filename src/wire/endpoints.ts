/** One row per endpoint: operation, verb, path, what is safe to repeat, and the types of what travels each way. */
import type { UploadConfig, UploadedFile } from "./attachment.ts";
import type { Channel, ChannelInput, ChannelState, Member } from "./channel.ts";
import type { AnyEvent } from "./events.ts";
import type { SharedLocation } from "./location.ts";
import type { Message, MessageInput, Reaction, SendOptions } from "./message.ts";
import type { Poll, PollOption, PollVote } from "./poll.ts";
import type { Filter, MessagePagination, Sort } from "./query.ts";
import type { ChannelMute, OwnUser, User } from "./user.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface EndpointRow {
  /** Name in error messages and in rate limits: `<op> failed with error: …`. */
  readonly op: string;
  readonly method: Method;
  /** `/channels/{type}/{id}/message`: segments in braces are path parameters, percent-encoded. */
  readonly path: string;
  /** Changes nothing stored at the provider but subscriptions: allowed in a dry run, repeatable. */
  readonly safe: boolean;
  /** May be repeated after an unknown outcome: GET, PUT, DELETE, upserts (README §11). */
  readonly idempotent: boolean;
  /** The query travels as one `payload=` JSON value. */
  readonly payload?: true;
  readonly multipart?: true;
  /** Client-side calls are refused with code 17. */
  readonly serverOnly?: true;
  /** Needs neither token nor key. */
  readonly open?: true;
  /** Requests a minute of the app-wide limit (errors.md §5). */
  readonly perMinute: number;
}

/** A row with the types of its path parameters, query, body and reply (types only, nothing at run time). */
export interface Endpoint<P = object, Q = object, B = undefined, R = object> extends EndpointRow {
  readonly types?: { path: P; query: Q; body: B; reply: R };
}

type Options = Partial<
  Pick<EndpointRow, "safe" | "idempotent" | "payload" | "multipart" | "serverOnly" | "open" | "perMinute">
>;

function row<P = object, Q = object, B = undefined, R = object>(
  op: string,
  method: Method,
  path: string,
  options: Options = {},
): Endpoint<P, Q, B, R> {
  const safe = options.safe ?? method === "GET";
  return { op, method, path, perMinute: 300, idempotent: safe || method !== "POST", ...options, safe };
}

type ChannelPath = { type: string; id: string };
type MessagePath = { id: string };
type ActAs = { user_id?: string };
type Acting = { user_id?: string; user?: Partial<User> & { id: string } };

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
  add_filter_tags?: string[];
  remove_filter_tags?: string[];
  cooldown?: number;
  skip_push?: boolean;
}

export interface PartialBody extends Acting {
  set?: Record<string, unknown>;
  unset?: string[];
}

export interface QueryUsersPayload {
  filter_conditions?: Filter;
  sort?: Sort;
  limit?: number;
  offset?: number;
  presence?: boolean;
  include_deactivated_users?: boolean;
  id_gt?: string;
  id_gte?: string;
  id_lt?: string;
  id_lte?: string;
  user_id?: string;
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

export interface AppReply {
  app: {
    name?: string;
    image_upload_config?: UploadConfig;
    file_upload_config?: UploadConfig;
    [setting: string]: unknown;
  };
}

/** The JSON handshake of `/connect` and of a long-poll opening. */
export interface ConnectPayload {
  user_id: string;
  user_details?: Partial<OwnUser> & { id?: string };
  server_determines_connection_id?: boolean;
  user_token?: string;
  device?: { id: string; push_provider: string; push_provider_name?: string };
  client_request_id?: string;
}

export interface LongPollReply {
  event?: AnyEvent;
  events?: AnyEvent[];
}

type Uploads = { upload_sizes?: string };

export const endpoints = {
  hi: row("Hi", "GET", "/hi", { open: true, perMinute: 10_000 }),
  longPoll: row<object, { json?: string; connection_id?: string; close?: boolean }, undefined, LongPollReply>(
    "Connect",
    "GET",
    "/longpoll",
    { perMinute: 10_000 },
  ),
  sync: row<
    object,
    { with_inaccessible_cids?: boolean },
    Acting & {
      channel_cids: string[];
      last_sync_at: string;
      with_inaccessible_cids?: boolean;
      watch?: boolean;
    },
    { events: AnyEvent[]; inaccessible_cids?: string[] }
  >("Sync", "POST", "/sync", { safe: true }),
  getApp: row<object, object, undefined, AppReply>("GetApp", "GET", "/app", { perMinute: 10_000 }),

  queryUsers: row<object, QueryUsersPayload, undefined, { users: User[] }>("QueryUsers", "GET", "/users", {
    payload: true,
    perMinute: 1000,
  }),
  upsertUsers: row<
    object,
    object,
    { users: Record<string, Partial<User> & { id: string }> },
    { users: Record<string, User>; membership_deletion_task_id: string }
  >("UpdateUsers", "POST", "/users", { idempotent: true }),
  updateUsersPartial: row<
    object,
    object,
    { users: { id: string; set?: Record<string, unknown>; unset?: string[] }[] },
    { users: Record<string, User> }
  >("UpdateUsersPartial", "PATCH", "/users"),
  getUnread: row<object, ActAs, undefined, UnreadReply>("GetUnread", "GET", "/unread"),

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
    Acting & { hard_delete?: boolean; skip_push?: boolean; truncated_at?: string; message?: MessageInput },
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

  sendMessage: row<ChannelPath, object, { message: MessageInput } & SendOptions, { message: Message }>(
    "SendMessage",
    "POST",
    "/channels/{type}/{id}/message",
    { perMinute: 1000 },
  ),
  getManyMessages: row<ChannelPath, { ids: string; user_id?: string }, undefined, { messages: Message[] }>(
    "GetManyMessages",
    "GET",
    "/channels/{type}/{id}/messages",
    { perMinute: 1000 },
  ),
  getPinnedMessages: row<
    ChannelPath,
    { limit?: number; sort?: Sort } & MessagePagination,
    undefined,
    { messages: Message[] }
  >("GetPinnedMessages", "GET", "/channels/{type}/{id}/pinned_messages", { payload: true }),
  getMessage: row<
    MessagePath,
    { show_deleted_message?: boolean; user_id?: string },
    undefined,
    { message: Message & { channel?: Channel } }
  >("GetMessage", "GET", "/messages/{id}", { perMinute: 1000 }),
  updateMessage: row<
    MessagePath,
    object,
    { message: MessageInput; skip_enrich_url?: boolean; skip_push?: boolean },
    { message: Message }
  >("UpdateMessage", "POST", "/messages/{id}", { perMinute: 1000, idempotent: true }),
  updateMessagePartial: row<
    MessagePath,
    object,
    PartialBody & { skip_enrich_url?: boolean },
    { message: Message }
  >("UpdateMessage", "PUT", "/messages/{id}", { perMinute: 1000 }),
  deleteMessage: row<
    MessagePath,
    { hard?: boolean; delete_for_me?: boolean; deleted_by?: string; user_id?: string },
    undefined,
    { message: Message }
  >("DeleteMessage", "DELETE", "/messages/{id}", { perMinute: 1000 }),
  getReplies: row<
    { parent_id: string },
    MessagePagination & { sort?: Sort; user_id?: string },
    undefined,
    { messages: Message[] }
  >("GetReplies", "GET", "/messages/{parent_id}/replies", { perMinute: 1000 }),
  sendReaction: row<
    MessagePath,
    object,
    Acting & {
      reaction: { type: string; score?: number; emoji_code?: string; user_id?: string };
      enforce_unique?: boolean;
      skip_push?: boolean;
    },
    { message: Message; reaction: Reaction }
  >("SendReaction", "POST", "/messages/{id}/reaction", { perMinute: 1000, idempotent: true }),
  deleteReaction: row<
    MessagePath & { reaction_type: string },
    ActAs,
    undefined,
    { message: Message; reaction: Reaction }
  >("DeleteReaction", "DELETE", "/messages/{id}/reaction/{reaction_type}", { perMinute: 1000 }),
  getReactions: row<
    MessagePath,
    { limit?: number; offset?: number; user_id?: string },
    undefined,
    { reactions: Reaction[] }
  >("GetReactions", "GET", "/messages/{id}/reactions", { perMinute: 1000 }),

  createPoll: row<
    object,
    object,
    Acting & Partial<Poll> & { name: string; options?: (Partial<PollOption> & { text: string })[] },
    { poll: Poll }
  >("CreatePoll", "POST", "/polls"),
  getPoll: row<{ poll_id: string }, ActAs, undefined, { poll: Poll }>("GetPoll", "GET", "/polls/{poll_id}"),
  updatePollPartial: row<{ poll_id: string }, object, PartialBody, { poll: Poll }>(
    "UpdatePoll",
    "PATCH",
    "/polls/{poll_id}",
  ),
  castPollVote: row<
    { message_id: string; poll_id: string },
    object,
    Acting & { vote: { option_id?: string; answer_text?: string } },
    { poll: Poll; vote: PollVote }
  >("CastPollVote", "POST", "/messages/{message_id}/polls/{poll_id}/vote", { idempotent: true }),
  removePollVote: row<
    { message_id: string; poll_id: string; vote_id: string },
    ActAs,
    undefined,
    { poll: Poll; vote: PollVote }
  >("RemovePollVote", "DELETE", "/messages/{message_id}/polls/{poll_id}/vote/{vote_id}"),

  getLiveLocations: row<object, ActAs, undefined, { active_live_locations: SharedLocation[] }>(
    "GetLiveLocations",
    "GET",
    "/users/live_locations",
  ),
  updateLiveLocation: row<
    object,
    ActAs,
    {
      message_id: string;
      latitude?: number;
      longitude?: number;
      end_at?: string;
      created_by_device_id?: string;
    },
    SharedLocation
  >("UpdateLiveLocation", "PUT", "/users/live_locations"),

  uploadChannelFile: row<ChannelPath, object, Uploads, UploadedFile>(
    "UploadFile",
    "POST",
    "/channels/{type}/{id}/file",
    { multipart: true, perMinute: 1000, idempotent: true },
  ),
  uploadChannelImage: row<ChannelPath, object, Uploads, UploadedFile>(
    "UploadImage",
    "POST",
    "/channels/{type}/{id}/image",
    { multipart: true, perMinute: 1000, idempotent: true },
  ),
  deleteChannelFile: row<ChannelPath, { url: string; user_id?: string }>(
    "DeleteFile",
    "DELETE",
    "/channels/{type}/{id}/file",
    { perMinute: 60 },
  ),
  deleteChannelImage: row<ChannelPath, { url: string; user_id?: string }>(
    "DeleteFile",
    "DELETE",
    "/channels/{type}/{id}/image",
    { perMinute: 60 },
  ),
  uploadFile: row<object, object, Uploads, UploadedFile>("UploadFile", "POST", "/uploads/file", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  uploadImage: row<object, object, Uploads, UploadedFile>("UploadImage", "POST", "/uploads/image", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  deleteFile: row<object, { url: string; user_id?: string }>("DeleteFile", "DELETE", "/uploads/file", {
    perMinute: 60,
  }),
  deleteImage: row<object, { url: string; user_id?: string }>("DeleteFile", "DELETE", "/uploads/image", {
    perMinute: 60,
  }),
} as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
type TypesOf<K extends EndpointName> =
  Endpoints[K] extends Endpoint<infer P, infer Q, infer B, infer R>
    ? { path: P; query: Q; body: B; reply: R }
    : never;
export type PathOf<K extends EndpointName> = TypesOf<K>["path"];
export type QueryOf<K extends EndpointName> = TypesOf<K>["query"];
export type BodyOf<K extends EndpointName> = TypesOf<K>["body"];
/** The JSON of a 2xx answer; `duration` is always there. */
export type ReplyOf<K extends EndpointName> = TypesOf<K>["reply"] & { duration: string };

/** `/channels/{type}/{id}` with its parameters percent-encoded. */
export function fillPath(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}
