/** Channels, members, read state and the channel state (specification/channels.md §5–6). */
import type { Draft } from "./draft.ts";
import type { SharedLocation } from "./location.ts";
import type { Thread } from "./thread.ts";
import type { Message, PendingMessage } from "./message.ts";
import type { PushPreferences, User } from "./user.ts";

export interface CommandInfo {
  name: string;
  description: string;
  args: string;
  set: string;
  /** Custom commands only. */
  created_at?: string;
  updated_at?: string;
}

export interface ChannelConfig {
  name: string;
  typing_events: boolean;
  read_events: boolean;
  connect_events: boolean;
  delivery_events: boolean;
  custom_events: boolean;
  search: boolean;
  reactions: boolean;
  replies: boolean;
  quotes: boolean;
  mutes: boolean;
  uploads: boolean;
  url_enrichment: boolean;
  push_notifications: boolean;
  reminders: boolean;
  count_messages: boolean;
  polls: boolean;
  user_message_reminders: boolean;
  shared_locations: boolean;
  mark_messages_pending: boolean;
  skip_last_msg_update_for_system_msgs: boolean;
  max_message_length: number;
  message_retention: string;
  automod: string;
  automod_behavior: string;
  automod_thresholds?: Record<string, { flag?: number; block?: number }>;
  blocklist?: string;
  blocklist_behavior?: string;
  blocklists?: { blocklist: string; behavior: string }[];
  partition_size?: number;
  /** Text such as `24h0m0s`. */
  partition_ttl?: string;
  push_level?: string;
  chat_preferences?: Record<string, unknown>;
  allowed_flag_reasons?: string[];
  grants?: Record<string, string[]>;
  created_at: string;
  updated_at: string;
  commands: CommandInfo[];
}

export interface Channel {
  id: string;
  type: string;
  cid: string;
  created_at: string;
  updated_at: string;
  created_by?: User;
  last_message_at?: string;
  member_count?: number;
  message_count?: number;
  frozen: boolean;
  disabled: boolean;
  hidden?: boolean;
  hide_messages_before?: string;
  muted?: boolean;
  mute_expires_at?: string;
  blocked?: boolean;
  /** Seconds of slow mode, 0 = off. */
  cooldown?: number;
  team?: string;
  auto_translation_enabled?: boolean;
  auto_translation_language?: string;
  filter_tags?: string[];
  own_capabilities?: string[];
  config?: ChannelConfig;
  members?: Member[];
  deleted_at?: string;
  truncated_at?: string;
  truncated_by?: User;
  /** Technically custom fields, but so common that they are typed here. */
  name?: string;
  image?: string;
}

export interface Member {
  user_id: string;
  user?: User;
  channel_role: string;
  role?: string;
  is_moderator?: boolean;
  created_at: string;
  updated_at: string;
  invited?: boolean;
  invite_accepted_at?: string | null;
  invite_rejected_at?: string | null;
  status?: "pending" | "accepted" | "rejected" | "member";
  banned?: boolean;
  ban_expires?: string | null;
  shadow_banned?: boolean;
  pinned_at?: string | null;
  archived_at?: string | null;
  notifications_muted?: boolean;
  deleted_messages?: string[];
}

export interface Read {
  user: User;
  last_read: string;
  last_read_message_id?: string;
  unread_messages: number;
  last_delivered_at?: string;
  last_delivered_message_id?: string;
}

export interface ChannelState {
  channel: Channel;
  messages: Message[];
  pinned_messages: Message[];
  pending_messages?: PendingMessage[];
  members: Member[];
  membership?: Member;
  read: Read[];
  watchers?: User[];
  watcher_count?: number;
  threads?: Thread[];
  active_live_locations?: SharedLocation[];
  draft?: Draft;
  hidden?: boolean;
  hide_messages_before?: string;
  push_preferences?: PushPreferences;
}

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
