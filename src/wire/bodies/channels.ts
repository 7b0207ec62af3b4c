/** Bodies of channels, members, read state and channel mutes. */
import {
  CHANNEL_MEMBERS_LIMIT,
  CHANNEL_WATCHERS_LIMIT,
  COOLDOWN_MAX_SECONDS,
  CUSTOM_DATA_LIMIT,
  MAX_OFFSET,
  MEMBERS_MAX_OFFSET,
  MEMBERS_PER_CALL,
  QUERY_CHANNELS_LIMIT,
  QUERY_MEMBERS_LIMIT,
  QUERY_MESSAGES_LIMIT,
} from "../constants.ts";
import { Channel, Member } from "../entities/channel.ts";
import {
  any,
  custom,
  filter,
  flag,
  id,
  limit,
  list,
  map,
  need,
  object,
  offset,
  sentBack,
  orId,
  sort,
  text,
  time,
  whole,
  type Field,
  type Infer,
} from "../entities/fields.ts";
import { channelOverrides } from "./admin.ts";
import { anchors } from "../entities/query.ts";
import { acting, partial } from "./frame.ts";
import { asMessage, message } from "./messages.ts";

/** A new member; a member from an answer may be sent back whole. */
const member = sentBack({ ...acting, channel_role: id(64), "*": custom(CUSTOM_DATA_LIMIT) }, Member);
type NewMember = { user_id: string; channel_role?: string };
export const members = list(orId(object(member)), MEMBERS_PER_CALL) as Field<(string | NewMember)[]>;

const settableMember = { pinned: flag(), archived: flag(), channel_role: member.channel_role };

/** The keys that a partial update may name. */
const settableChannel = {
  team: id(),
  frozen: flag(),
  disabled: flag(),
  filter_tags: list(text(), 10),
  cooldown: whole(0, COOLDOWN_MAX_SECONDS),
  auto_translation_enabled: flag(),
  auto_translation_language: id(),
};

/** The built-in fields of a member that an update may set. */
export const SETTABLE_OF_MEMBERS: ReadonlySet<string> = new Set(["pinned", "archived", "channel_role"]);

export const settableData = { ...settableChannel, config_overrides: object(channelOverrides) };

const data = sentBack(
  {
    created_by: acting.user,
    created_by_id: id(),
    members,
    invites: members,
    ...settableChannel,
    "*": custom(CUSTOM_DATA_LIMIT),
  },
  Channel,
);
/** Typed as it is sent, also for the provider. */
const asData = object(data) as Field<Infer<typeof data> & { name?: string; image?: string }>;

const page = (limits: readonly [number, number], maxOffset = MAX_OFFSET) =>
  object({ limit: limit(limits), offset: offset(maxOffset) });

const query = {
  ...acting,
  data: asData,
  state: flag(),
  watch: flag(),
  presence: flag(),
  messages: object({ limit: limit(QUERY_MESSAGES_LIMIT), offset: offset(MAX_OFFSET), ...anchors }),
  members: page(CHANNEL_MEMBERS_LIMIT, MEMBERS_MAX_OFFSET),
  watchers: page(CHANNEL_WATCHERS_LIMIT),
  hide_for_creator: flag(),
  thread_unread_counts: flag(),
};

const cids = { channel_cid: id(), channel_cids: list(text(), 100) };
const people = list(text(), MEMBERS_PER_CALL);

export const channelBodies = {
  queryChannels: {
    ...acting,
    filter_conditions: filter(),
    sort: sort(),
    state: flag(),
    watch: flag(),
    presence: flag(),
    limit: limit(QUERY_CHANNELS_LIMIT),
    offset: offset(MAX_OFFSET),
    message_limit: limit(QUERY_MESSAGES_LIMIT),
    member_limit: limit(QUERY_MEMBERS_LIMIT),
    member_custom_include: list(text(), 8),
    /** A filter and an order that the app has stored under a name, and what takes the place of its variables. */
    predefined_filter: id(),
    filter_values: map(any()),
    sort_values: map(any()),
  },
  queryChannel: query,
  queryDistinctChannel: query,
  updateChannel: {
    ...acting,
    data: asData,
    message: asMessage(message),
    add_members: members,
    remove_members: people,
    add_moderators: people,
    demote_moderators: people,
    assign_roles: members as Field<{ user_id: string; channel_role: string }[]>,
    invites: members,
    accept_invite: flag(),
    reject_invite: flag(),
    hide_history: flag(),
    hide_history_before: time(),
    add_filter_tags: list(text(), 10),
    remove_filter_tags: list(text(), 10),
    cooldown: whole(0, COOLDOWN_MAX_SECONDS),
    skip_push: flag(),
  },
  updateChannelPartial: partial(settableData),
  truncateChannel: {
    ...acting,
    hard_delete: flag(),
    skip_push: flag(),
    truncated_at: time(),
    message: asMessage(message),
    member_ids: list(text(), MEMBERS_PER_CALL),
  },
  hideChannel: { ...acting, clear_history: flag() },
  showChannel: acting,
  stopWatching: acting,
  markRead: { ...acting, message_id: id(), thread_id: id() },
  markUnread: { ...acting, message_id: id(), message_timestamp: time(), thread_id: id() },
  markChannelsRead: { ...acting, read_by_channel: map(text(), 100) },
  markDelivered: {
    ...acting,
    latest_delivered_messages: need(list(object({ cid: need(id()), id: need(id()) }), 100)),
  },
  sendEvent: {
    ...acting,
    event: need(
      object({
        ...acting,
        type: need(text(255)),
        parent_id: id(),
        "*": custom(CUSTOM_DATA_LIMIT),
      }),
    ),
  },
  updateMemberPartial: partial(settableMember),
  updateMemberPartialByQuery: partial(settableMember),
  queryMembers: {
    ...acting,
    type: need(id(64)),
    id: id(),
    members: list(orId(object({ user_id: id() })), 100) as Field<{ user_id: string }[]>,
    filter_conditions: filter(),
    sort: sort(),
    limit: limit(QUERY_MEMBERS_LIMIT),
    offset: offset(MAX_OFFSET),
    user_id_gt: id(),
    user_id_gte: id(),
    user_id_lt: id(),
    user_id_lte: id(),
    created_at_after: time(),
    created_at_after_or_equal: time(),
    created_at_before: time(),
    created_at_before_or_equal: time(),
  },
  muteChannel: { ...acting, ...cids, expiration: whole(1) },
  unmuteChannel: { ...acting, ...cids },
};
