/** Channels, members, read state and the channel state (specification/channels.md §5–6). */
import {
  any,
  choice,
  entity,
  flag,
  ignored,
  list,
  map,
  need,
  number,
  object,
  shape,
  usualCustom,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";
import type { User } from "./user.ts";

export const CommandInfo = shape(() => ({
  name: need(text()),
  description: need(text()),
  args: need(text()),
  set: need(text()),
  /** Custom commands only. */
  created_at: time(),
  updated_at: time(),
}));
export interface CommandInfo extends Infer<typeof CommandInfo> {}

export const ChannelConfig = shape(() => ({
  name: need(text()),
  typing_events: need(flag()),
  read_events: need(flag()),
  connect_events: need(flag()),
  delivery_events: need(flag()),
  custom_events: need(flag()),
  search: need(flag()),
  reactions: need(flag()),
  replies: need(flag()),
  quotes: need(flag()),
  mutes: need(flag()),
  uploads: need(flag()),
  url_enrichment: need(flag()),
  push_notifications: need(flag()),
  reminders: need(flag()),
  count_messages: need(flag()),
  polls: need(flag()),
  user_message_reminders: need(flag()),
  shared_locations: need(flag()),
  mark_messages_pending: need(flag()),
  skip_last_msg_update_for_system_msgs: need(flag()),
  max_message_length: need(whole()),
  message_retention: need(text()),
  automod: need(text()),
  automod_behavior: need(text()),
  automod_thresholds: map(object({ flag: number(), block: number() })),
  blocklist: text(),
  blocklist_behavior: text(),
  blocklists: list(object({ blocklist: need(text()), behavior: need(text()) })),
  partition_size: whole(),
  /** Text such as `24h0m0s`. */
  partition_ttl: text(),
  push_level: text(),
  chat_preferences: map(any()),
  allowed_flag_reasons: list(text()),
  grants: map(list(text())),
  created_at: need(time()),
  updated_at: need(time()),
  commands: need(list(entity("CommandInfo"))),
}));
export interface ChannelConfig extends Infer<typeof ChannelConfig> {}

export const Channel = shape(() => ({
  id: need(text()),
  type: need(text()),
  cid: need(text()),
  created_at: need(time()),
  updated_at: need(time()),
  created_by: entity("User"),
  last_message_at: time(),
  member_count: whole(),
  message_count: whole(),
  frozen: need(flag()),
  disabled: need(flag()),
  hidden: flag(),
  hide_messages_before: time(),
  muted: flag(),
  mute_expires_at: time(),
  blocked: flag(),
  /** Seconds of slow mode, 0 = off. */
  cooldown: whole(),
  team: text(),
  auto_translation_enabled: flag(),
  auto_translation_language: text(),
  filter_tags: list(text()),
  own_capabilities: list(text()),
  config: entity("ChannelConfig"),
  members: list(entity("Member")),
  deleted_at: time(),
  truncated_at: time(),
  truncated_by: entity("User"),
  /** Technically custom fields, but so common that they are typed here. */
  name: usualCustom(text()),
  image: usualCustom(text()),
  ...ignored("config_overrides", "truncated_by_id", "created_by_id", "invites"),
}));
export interface Channel extends Infer<typeof Channel> {}

export const Member = shape(() => ({
  user_id: need(text()),
  user: entity("User"),
  channel_role: need(text()),
  role: text(),
  is_moderator: flag(),
  created_at: need(time()),
  updated_at: need(time()),
  invited: flag(),
  invite_accepted_at: orNull(time()),
  invite_rejected_at: orNull(time()),
  status: choice("pending", "accepted", "rejected", "member"),
  banned: flag(),
  ban_expires: orNull(time()),
  shadow_banned: flag(),
  pinned_at: orNull(time()),
  archived_at: orNull(time()),
  notifications_muted: flag(),
  deleted_messages: list(text()),
  ...ignored("pinned", "archived", "deleted_at"),
}));
export interface Member extends Infer<typeof Member> {}

export const Read = shape(() => ({
  user: need(entity("User")),
  last_read: need(time()),
  last_read_message_id: text(),
  unread_messages: need(whole()),
  last_delivered_at: time(),
  last_delivered_message_id: text(),
}));
export interface Read extends Infer<typeof Read> {}

export const ChannelState = shape(() => ({
  channel: need(entity("Channel")),
  messages: need(list(entity("Message"))),
  pinned_messages: need(list(entity("Message"))),
  pending_messages: list(entity("PendingMessage")),
  members: need(list(entity("Member"))),
  membership: entity("Member"),
  read: need(list(entity("Read"))),
  watchers: list(entity("User")),
  watcher_count: whole(),
  threads: list(entity("Thread")),
  active_live_locations: list(entity("SharedLocation")),
  draft: entity("Draft"),
  hidden: flag(),
  hide_messages_before: time(),
  push_preferences: entity("PushPreferences"),
}));
export interface ChannelState extends Infer<typeof ChannelState> {}

/** `data` of a creating query or a full update; custom keys beside these. */
export interface ChannelInput {
  created_by?: Partial<User> & { id: string };
  created_by_id?: string;
  members?: (string | { user_id: string; channel_role?: string })[];
  invites?: (string | { user_id: string; channel_role?: string })[];
  team?: string;
  frozen?: boolean;
  disabled?: boolean;
  filter_tags?: string[];
  cooldown?: number;
  name?: string;
  image?: string;
  [custom: string]: unknown;
}
