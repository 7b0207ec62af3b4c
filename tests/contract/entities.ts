/** The entities of the protocol as shapes, written out by hand. */
import { orNull, type Keys, type Shape } from "./shape.ts";

/** specification/users.md §2: the fields everybody sees; custom fields are flattened, so a test adds the ones it sets. */
export const USER: Keys = {
  id: "text",
  "name?": "text",
  "image?": "text",
  role: "text",
  teams: ["text"],
  "teams_role?": "object",
  language: "text",
  "status?": "text",
  online: "flag",
  "last_active?": "date",
  created_at: "date",
  updated_at: "date",
  "deleted_at?": "date",
  "deactivated_at?": "date",
  banned: "flag",
  "avg_response_time?": "count",
  "blocked_user_ids?": ["text"],
  "favourite_tea?": "text",
  "address?": "object",
};

const enabled: Keys = { enabled: "flag" };
export const MUTED_CHANNEL: Keys = {
  user: USER,
  channel: "object",
  created_at: "date",
  updated_at: "date",
  "expires?": orNull("date"),
};

/** specification/users.md §2, entry shapes. */
export const MUTE: Keys = {
  user: USER,
  target: USER,
  created_at: "date",
  updated_at: "date",
  "expires?": orNull("date"),
};

/** specification/users.md §2, entry shapes. */
export const DEVICE: Keys = {
  id: "text",
  push_provider: { oneOf: ["apn", "firebase", "huawei", "xiaomi"] },
  "push_provider_name?": "text",
  user_id: "text",
  created_at: "date",
  "disabled?": "flag",
  "disabled_reason?": "text",
  "hardware_id?": "text",
  "voip?": "flag",
};

/** specification/users.md §2: the further fields that the user itself sees. */
export const OWN_VIEW: Keys = {
  ...USER,
  "invisible?": "flag",
  "privacy_settings?": {
    "typing_indicators?": enabled,
    "read_receipts?": enabled,
    "delivery_receipts?": enabled,
  },
  "mutes?": [MUTE],
  "channel_mutes?": [MUTED_CHANNEL],
  "devices?": [DEVICE],
  "push_notifications?": { disabled: "flag", "disabled_until?": "date" },
};

/** specification/users.md §2: the fields that servers and moderators see of any user. */
export const SERVER_VIEW: Keys = {
  ...USER,
  blocked_user_ids: ["text"],
  invisible: "flag",
  "privacy_settings?": OWN_VIEW["privacy_settings?"]!,
  mutes: [MUTE],
  channel_mutes: [MUTED_CHANNEL],
  devices: [DEVICE],
  push_notifications: OWN_VIEW["push_notifications?"]!,
  shadow_banned: "flag",
  bypass_moderation: "flag",
  "ban_expires?": "date",
  "revoke_tokens_issued_before?": "date",
};

/** specification/users.md §10. */
export const PUSH: Keys = {
  "chat_level?": "text",
  "call_level?": "text",
  "feeds_level?": "text",
  "disabled_until?": "date",
  "chat_preferences?": { map: { oneOf: ["all", "none"] } },
};

/** specification/users.md §3. */
export const ME: Keys = {
  ...OWN_VIEW,
  invisible: "flag",
  "privacy_settings?": OWN_VIEW["privacy_settings?"]!,
  devices: [DEVICE],
  mutes: [MUTE],
  channel_mutes: [MUTED_CHANNEL],
  blocked_user_ids: ["text"],
  latest_hidden_channels: ["text"],
  total_unread_count: "count",
  unread_count: "count",
  unread_channels: "count",
  unread_threads: "count",
  "total_unread_count_by_team?": "object",
  push_preferences: PUSH,
};

/** specification/channels.md §6.2. */
export const MEMBER: Keys = {
  user_id: "text",
  user: USER,
  channel_role: "text",
  role: { oneOf: ["owner", "moderator", "member"] },
  "is_moderator?": "flag",
  created_at: "date",
  updated_at: "date",
  "invited?": "flag",
  "invite_accepted_at?": "date",
  "invite_rejected_at?": "date",
  status: { oneOf: ["pending", "accepted", "rejected", "member"] },
  banned: "flag",
  "ban_expires?": "date",
  shadow_banned: "flag",
  pinned_at: orNull("date"),
  archived_at: orNull("date"),
  notifications_muted: "flag",
  "deleted_messages?": ["text"],
  "badge?": "text",
};

export const READ: Keys = {
  user: USER,
  last_read: "date",
  "last_read_message_id?": "text",
  unread_messages: "count",
  "last_delivered_at?": "date",
  "last_delivered_message_id?": "text",
};

/** specification/admin.md §3; the app's own commands have dates. */
const COMMAND: Keys = {
  name: "text",
  description: "text",
  args: "text",
  set: "text",
  "created_at?": "date",
  "updated_at?": "date",
};
/** specification/channels.md §6.4. */
export const CONFIG: Keys = {
  ...Object.fromEntries(
    `typing_events read_events connect_events delivery_events custom_events search reactions replies quotes mutes
    uploads url_enrichment push_notifications reminders count_messages polls user_message_reminders shared_locations
    mark_messages_pending skip_last_msg_update_for_system_msgs`
      .split(/\s+/)
      .map((name) => [name, "flag" as Shape]),
  ),
  name: "text",
  max_message_length: "count",
  message_retention: "text",
  automod: "text",
  automod_behavior: "text",
  "blocklist?": "text",
  "blocklist_behavior?": "text",
  "grants?": "object",
  created_at: "date",
  updated_at: "date",
  commands: [COMMAND],
};

/** specification/channels.md §6, without the fields that depend on the reader; `name`, `topic` and `nested` are custom. */
export const BROADCAST_CHANNEL: Keys = {
  id: "text",
  type: "text",
  cid: "text",
  created_at: "date",
  updated_at: "date",
  "created_by?": USER,
  "last_message_at?": "date",
  member_count: "count",
  "message_count?": "count",
  frozen: "flag",
  disabled: "flag",
  "cooldown?": "count",
  "team?": "text",
  "auto_translation_enabled?": "flag",
  "auto_translation_language?": "text",
  "filter_tags?": ["text"],
  "config?": CONFIG,
  "members?": [MEMBER],
  "deleted_at?": "date",
  "truncated_at?": "date",
  "truncated_by?": USER,
  "name?": "text",
  "topic?": "text",
  "nested?": "object",
};
export const CHANNEL: Keys = {
  ...BROADCAST_CHANNEL,
  config: CONFIG,
  own_capabilities: ["text"],
  "hidden?": "flag",
  "hide_messages_before?": "date",
  "muted?": "flag",
  "mute_expires_at?": "date",
  "blocked?": "flag",
};

/** specification/messages.md §9.1. */
export const REACTION: Keys = {
  type: "text",
  user_id: "text",
  user: USER,
  message_id: "text",
  score: "number",
  created_at: "date",
  updated_at: "date",
  "emoji_code?": "text",
  "mood?": "text",
};

/** specification/locations.md §2. */
export const LOCATION: Keys = {
  message_id: "text",
  channel_cid: "text",
  user_id: "text",
  latitude: "number",
  longitude: "number",
  created_by_device_id: "text",
  "end_at?": "date",
  created_at: "date",
  updated_at: "date",
};

/** specification/polls.md §2. */
export const VOTE: Keys = {
  id: "text",
  poll_id: "text",
  option_id: "text",
  "user_id?": "text",
  "user?": USER,
  "is_answer?": "flag",
  "answer_text?": "text",
  created_at: "date",
  updated_at: "date",
};
export const POLL: Keys = {
  id: "text",
  name: "text",
  description: "text",
  options: [{ id: "text", text: "text", "colour?": "text" }],
  voting_visibility: { oneOf: ["public", "anonymous"] },
  enforce_unique_vote: "flag",
  "max_votes_allowed?": orNull("count"),
  allow_user_suggested_options: "flag",
  allow_answers: "flag",
  "is_closed?": "flag",
  vote_count: "count",
  vote_counts_by_option: { map: "count" },
  latest_votes_by_option: { map: [VOTE] },
  answers_count: "count",
  latest_answers: [VOTE],
  own_votes: [VOTE],
  created_by_id: "text",
  created_by: USER,
  created_at: "date",
  updated_at: "date",
  "mood?": "text",
};

/** specification/drafts.md §2, as embedded in other objects; `mood` is custom. */
export const DRAFT: Keys = {
  channel_cid: "text",
  "parent_id?": "text",
  message: {
    id: "text",
    text: "text",
    attachments: ["object"],
    mentioned_users: [USER],
    "parent_id?": "text",
    "show_in_channel?": "flag",
    "quoted_message_id?": "text",
    "silent?": "flag",
    "type?": { oneOf: ["regular", "system"] },
    "poll_id?": "text",
    "html?": "text",
    "mml?": "text",
    "mood?": "text",
  },
  created_at: "date",
};

/** specification/reminders.md §2, as embedded in messages. */
export const REMINDER: Keys = {
  channel_cid: "text",
  message_id: "text",
  user_id: "text",
  remind_at: orNull("date"),
  created_at: "date",
  updated_at: "date",
};

const message = (quoted: Record<string, Shape>): Keys => ({
  id: "text",
  cid: "text",
  type: { oneOf: ["regular", "reply", "system", "deleted"] },
  text: "text",
  html: "text",
  user: USER,
  attachments: ["object"],
  mentioned_users: [USER],
  "parent_id?": "text",
  "show_in_channel?": "flag",
  reply_count: "count",
  deleted_reply_count: "count",
  "thread_participants?": [USER],
  "quoted_message_id?": "text",
  ...quoted,
  "poll_id?": "text",
  "poll?": orNull(POLL),
  "shared_location?": LOCATION,
  reaction_counts: { map: "count" },
  reaction_scores: { map: "number" },
  reaction_groups: {
    map: { count: "count", sum_scores: "number", first_reaction_at: "date", last_reaction_at: "date" },
  },
  latest_reactions: [REACTION],
  own_reactions: [REACTION],
  "command?": "text",
  "args?": "text",
  silent: "flag",
  pinned: "flag",
  pinned_at: orNull("date"),
  pinned_by: orNull(USER),
  pin_expires: orNull("date"),
  "i18n?": "object",
  restricted_visibility: ["text"],
  shadowed: "flag",
  "member?": { channel_role: "text", "notifications_muted?": "flag", "badge?": "text" },
  "mml?": "text",
  "draft?": DRAFT,
  "reminder?": REMINDER,
  created_at: "date",
  updated_at: "date",
  "message_text_updated_at?": "date",
  "deleted_at?": "date",
  "deleted_for_me?": "flag",
  mentioned_channel: "flag",
  mentioned_here: "flag",
  "mood?": "text",
  "details?": "object",
});
/** specification/messages.md §2; `mood` and `details` are custom; a quoted message has no quoted message itself. */
export const MESSAGE: Keys = message({ "quoted_message?": orNull(message({})) });

/** A draft with the objects that answers and events add to it. */
export const FULL_DRAFT: Keys = {
  ...DRAFT,
  channel: BROADCAST_CHANNEL,
  "parent_message?": MESSAGE,
  "quoted_message?": MESSAGE,
};
export const FULL_REMINDER: Keys = {
  ...REMINDER,
  channel: BROADCAST_CHANNEL,
  message: MESSAGE,
  user: USER,
};

/** specification/channels.md §5: an element of `channels`. */
export const LISTED: Keys = {
  channel: CHANNEL,
  messages: [MESSAGE],
  pinned_messages: [MESSAGE],
  pending_messages: ["object"],
  members: [MEMBER],
  "membership?": MEMBER,
  read: [READ],
  "watchers?": [USER],
  "watcher_count?": "count",
  threads: ["object"],
  active_live_locations: [LOCATION],
  "draft?": DRAFT,
  "hidden?": "flag",
  "hide_messages_before?": "date",
  "push_preferences?": "object",
};
export const STATE: Keys = { ...LISTED, duration: "duration" };

/** specification/threads.md §3; `mood` and `details` are custom. */
export const BARE_THREAD: Keys = {
  parent_message_id: "text",
  parent_message: MESSAGE,
  channel_cid: "text",
  channel: { or: [CHANNEL, BROADCAST_CHANNEL] },
  title: "text",
  created_by_user_id: "text",
  created_by: USER,
  created_at: "date",
  updated_at: "date",
  "deleted_at?": "date",
  "last_message_at?": "date",
  reply_count: "count",
  participant_count: "count",
  active_participant_count: "count",
  thread_participants: [
    {
      user_id: "text",
      user: USER,
      thread_id: "text",
      channel_cid: "text",
      created_at: "date",
      "last_read_at?": "date",
      "last_thread_message_at?": "date",
      "left_thread_at?": "date",
    },
  ],
  "mood?": "text",
  "details?": "object",
};
export const THREAD: Keys = { ...BARE_THREAD, latest_replies: [MESSAGE], read: [READ], "draft?": "object" };

/** specification/attachments.md §3. */
export const UPLOADED: Keys = {
  file: "text",
  "thumb_url?": "text",
  "upload_sizes?": ["object"],
  "moderation_action?": "text",
  duration: "duration",
};
