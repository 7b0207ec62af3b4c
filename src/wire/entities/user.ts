/** Users: the public object, the current user (`me`), mutes and devices (specification/users.md §2–3). */
import {
  entity,
  flag,
  list,
  map,
  need,
  object,
  partOf,
  shape,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";

export const PrivacySettings = shape(() => ({
  typing_indicators: object({ enabled: need(flag()) }),
  read_receipts: object({ enabled: need(flag()) }),
  delivery_receipts: object({ enabled: need(flag()) }),
}));
export interface PrivacySettings extends Infer<typeof PrivacySettings> {}

/** The public fields, besides custom ones (see custom.ts). */
export const User = shape(() => ({
  id: need(text()),
  name: text(),
  image: text(),
  role: text(),
  teams: list(text()),
  teams_role: map(text()),
  language: text(),
  status: text(),
  online: flag(),
  last_active: time(),
  created_at: time(),
  updated_at: time(),
  deleted_at: time(),
  deactivated_at: time(),
  banned: flag(),
  avg_response_time: whole(),
  /** Self and server side only. */
  invisible: flag(),
  privacy_settings: entity("PrivacySettings"),
  blocked_user_ids: list(text()),
  mutes: list(entity("Mute")),
  channel_mutes: list(entity("ChannelMute")),
  devices: list(entity("Device")),
  /** Legacy form of the push preferences. */
  push_notifications: object({ disabled: need(flag()), disabled_until: time() }),
  /** Server side and moderators only. */
  ban_expires: time(),
  shadow_banned: flag(),
  bypass_moderation: flag(),
  revoke_tokens_issued_before: orNull(time()),
}));
export interface User extends Infer<typeof User> {}

export const Mute = shape(() => ({
  user: need(entity("User")),
  target: need(entity("User")),
  created_at: need(time()),
  updated_at: need(time()),
  expires: orNull(time()),
}));
export interface Mute extends Infer<typeof Mute> {}

export const ChannelMute = shape(() => ({
  user: need(entity("User")),
  channel: need(partOf("Channel", { cid: need(text()) })),
  created_at: need(time()),
  updated_at: need(time()),
  /** Active when absent or in the future (R-MUTE-1). */
  expires: orNull(time()),
}));
export interface ChannelMute extends Infer<typeof ChannelMute> {}

export const Device = shape(() => ({
  id: need(text()),
  push_provider: need(text()),
  push_provider_name: text(),
  user_id: need(text()),
  created_at: need(time()),
  disabled: flag(),
  disabled_reason: text(),
  hardware_id: text(),
  voip: flag(),
}));
export interface Device extends Infer<typeof Device> {}

/** An entry of GET /users/block. */
export const UserBlock = shape(() => ({
  user: need(entity("User")),
  user_id: need(text()),
  blocked_user: need(entity("User")),
  blocked_user_id: need(text()),
  created_at: need(time()),
}));
export interface UserBlock extends Infer<typeof UserBlock> {}

export const PushPreferences = shape(() => ({
  chat_level: text(),
  call_level: text(),
  feeds_level: text(),
  disabled_until: time(),
  chat_preferences: map(text()),
}));
export interface PushPreferences extends Infer<typeof PushPreferences> {}

export const CHAT_LEVELS = ["all", "mentions", "direct_mentions", "all_mentions", "none", "default"] as const;
export const CHAT_PREFERENCES = [
  "channel_mentions",
  "default_preference",
  "direct_mentions",
  "group_mentions",
  "here_mentions",
  "role_mentions",
  "thread_replies",
] as const;

/** `me`: the private view of the connected user. */
export const OwnUser = shape(() => ({
  ...User(),
  devices: need(list(entity("Device"))),
  mutes: need(list(entity("Mute"))),
  channel_mutes: need(list(entity("ChannelMute"))),
  blocked_user_ids: need(list(text())),
  latest_hidden_channels: list(text()),
  total_unread_count: need(whole()),
  unread_count: need(whole()),
  unread_channels: need(whole()),
  unread_threads: need(whole()),
  total_unread_count_by_team: map(whole()),
  push_preferences: entity("PushPreferences"),
}));
export interface OwnUser extends Infer<typeof OwnUser> {}
