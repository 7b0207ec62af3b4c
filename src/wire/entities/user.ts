/** Users: the public object, the current user (`me`), mutes and devices (specification/users.md §2–3). */
import type { Channel } from "./channel.ts";

export interface PrivacySettings {
  typing_indicators?: { enabled: boolean };
  read_receipts?: { enabled: boolean };
  delivery_receipts?: { enabled: boolean };
}

/** The public fields, besides custom ones (see custom.ts). */
export interface User {
  id: string;
  name?: string;
  image?: string;
  role?: string;
  teams?: string[];
  teams_role?: Record<string, string>;
  language?: string;
  status?: string;
  online?: boolean;
  last_active?: string;
  created_at?: string;
  updated_at?: string;
  deleted_at?: string;
  deactivated_at?: string;
  banned?: boolean;
  avg_response_time?: number;
  /** Self and server side only. */
  invisible?: boolean;
  privacy_settings?: PrivacySettings;
  blocked_user_ids?: string[];
  mutes?: Mute[];
  channel_mutes?: ChannelMute[];
  devices?: Device[];
  /** Legacy form of the push preferences. */
  push_notifications?: { disabled: boolean; disabled_until?: string };
  /** Server side and moderators only. */
  ban_expires?: string;
  shadow_banned?: boolean;
  bypass_moderation?: boolean;
  revoke_tokens_issued_before?: string | null;
}

export interface Mute {
  user: User;
  target: User;
  created_at: string;
  updated_at: string;
  expires?: string | null;
}

export interface ChannelMute {
  user: User;
  channel: Partial<Channel> & { cid: string };
  created_at: string;
  updated_at: string;
  /** Active when absent or in the future (R-MUTE-1). */
  expires?: string | null;
}

export interface Device {
  id: string;
  push_provider: string;
  push_provider_name?: string;
  user_id: string;
  created_at: string;
  disabled?: boolean;
  disabled_reason?: string;
  hardware_id?: string;
  voip?: boolean;
}

/** An entry of GET /users/block. */
export interface UserBlock {
  user: User;
  user_id: string;
  blocked_user: User;
  blocked_user_id: string;
  created_at: string;
}

export interface PushPreferences {
  chat_level?: string;
  call_level?: string;
  feeds_level?: string;
  disabled_until?: string;
  chat_preferences?: Record<string, string>;
}

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
export interface OwnUser extends User {
  devices: Device[];
  mutes: Mute[];
  channel_mutes: ChannelMute[];
  blocked_user_ids: string[];
  latest_hidden_channels?: string[];
  total_unread_count: number;
  unread_count: number;
  unread_channels: number;
  unread_threads: number;
  total_unread_count_by_team?: Record<string, number>;
  push_preferences?: PushPreferences;
}
