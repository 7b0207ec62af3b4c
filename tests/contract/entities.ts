/** The entities as the embedded provider writes them: the shapes of the protocol, and what it promises beyond them. */
import { shapeOf, type EntityTypes } from "../../src/wire/entities/index.ts";
import { PUSH_PROVIDER_TYPES } from "../../src/wire/entities/push-provider.ts";
import { keysOf, orNull, type Keys, type Shape } from "./shape.ts";

interface Form {
  /** Keys that are always there. */
  always?: string;
  /** Keys that are never there. */
  never?: string;
}

/** The form of an entity inside others. */
const inside = (name: string): Shape => FORMS[name] ?? form(name as keyof EntityTypes);

export const form = (name: keyof EntityTypes, keys: Form = {}, own: Keys = {}): Keys =>
  keysOf(shapeOf({ kind: "object", entity: name })!, { ...keys, entity: inside }, own);

/** Custom fields that the tests give to a user. */
const OF_USERS: Keys = { "favourite_tea?": "text", "address?": "object" };
const ALWAYS = "role teams language online created_at updated_at banned";
const OF_SERVERS = "ban_expires shadow_banned bypass_moderation revoke_tokens_issued_before";

/** specification/users.md §2: the fields everybody sees. */
export const USER = form(
  "User",
  {
    always: ALWAYS,
    never: `invisible privacy_settings mutes channel_mutes devices push_notifications ${OF_SERVERS}`,
  },
  OF_USERS,
);

export const MUTED_CHANNEL = form("ChannelMute", {}, { channel: "object" });
/** specification/users.md §2, entry shapes. */
export const MUTE = form("Mute");
export const DEVICE = form("Device", {}, { push_provider: { oneOf: PUSH_PROVIDER_TYPES } });

/** specification/users.md §2: the further fields that the user itself sees. */
export const OWN_VIEW = form("User", { always: ALWAYS, never: OF_SERVERS }, OF_USERS);

/** specification/users.md §2: the fields that servers and moderators see of any user. */
export const SERVER_VIEW = form(
  "User",
  {
    always: `${ALWAYS} invisible blocked_user_ids mutes channel_mutes devices push_notifications shadow_banned bypass_moderation`,
  },
  { ...OF_USERS, "revoke_tokens_issued_before?": "date" },
);

/** specification/users.md §10. */
export const PUSH = form(
  "PushPreferences",
  {},
  { "disabled_until?": "date", "chat_preferences?": { map: { oneOf: ["all", "none"] } } },
);

/** specification/users.md §3. */
export const ME = form(
  "OwnUser",
  { always: `${ALWAYS} invisible latest_hidden_channels push_preferences`, never: OF_SERVERS },
  OF_USERS,
);

/** specification/channels.md §6.2. */
export const MEMBER = form(
  "Member",
  { always: "user status banned shadow_banned notifications_muted" },
  {
    role: { oneOf: ["owner", "moderator", "member"] },
    "invite_accepted_at?": "date",
    "invite_rejected_at?": "date",
    "ban_expires?": "date",
    "badge?": "text",
  },
);

/** specification/channels.md §6.4. */
export const NOT_IN_CONFIG =
  "automod_thresholds blocklists partition_size partition_ttl push_level chat_preferences allowed_flag_reasons";
export const CONFIG = form("ChannelConfig", { never: NOT_IN_CONFIG });

/** Custom fields that the tests give to a channel. */
const OF_CHANNELS: Keys = { "topic?": "text", "nested?": "object" };
/** specification/channels.md §6, without the fields that depend on the reader. */
export const BROADCAST_CHANNEL = form(
  "Channel",
  {
    always: "member_count",
    never: "hidden hide_messages_before muted mute_expires_at blocked own_capabilities image",
  },
  OF_CHANNELS,
);
export const CHANNEL = form(
  "Channel",
  { always: "member_count own_capabilities config", never: "image" },
  OF_CHANNELS,
);

/** specification/messages.md §9.1. */
export const REACTION = form("Reaction", { always: "user" }, { "mood?": "text" });

/** specification/locations.md §2. */
export const LOCATION = form("SharedLocation", {
  always: "message_id channel_cid user_id created_by_device_id created_at updated_at",
  never: "channel message",
});

/** specification/polls.md §2. */
export const VOTE = form("PollVote", { always: "option_id" });
export const POLL = form(
  "Poll",
  {
    always: `description voting_visibility enforce_unique_vote allow_user_suggested_options allow_answers created_by_id
      created_by answers_count latest_answers`,
  },
  { "mood?": "text" },
);

/** specification/drafts.md §2, as embedded in other objects. */
const DRAFT = form("Draft", { never: "channel parent_message quoted_message" });

/** specification/reminders.md §2, as embedded in messages. */
const REMINDER = form("Reminder", { never: "channel message user" });

const message = (own: Keys): Keys =>
  form(
    "Message",
    {
      always: `html deleted_reply_count silent pinned pinned_at pinned_by pin_expires restricted_visibility shadowed
        mentioned_channel mentioned_here`,
      never: "quoted_message",
    },
    {
      type: { oneOf: ["regular", "reply", "system", "deleted"] },
      reaction_counts: { map: "count" },
      reaction_scores: { map: "number" },
      "member?": { channel_role: "text", "notifications_muted?": "flag", "badge?": "text" },
      "mood?": "text",
      "details?": "object",
      ...own,
    },
  );
/** specification/messages.md §2; `mood` and `details` are custom; a quoted message has no quoted message itself. */
export const MESSAGE = message({ "quoted_message?": orNull(message({})) });

/** A draft with the objects that answers and events add to it. */
export const FULL_DRAFT = form("Draft", { always: "channel" });
export const FULL_REMINDER = form("Reminder", { always: "channel message user" });

/** specification/channels.md §5: an element of `channels`. */
export const LISTED = form(
  "ChannelState",
  { always: "pending_messages threads active_live_locations" },
  { "push_preferences?": "object", channel: CHANNEL },
);
export const STATE: Keys = { ...LISTED, duration: "duration" };

const OF_THREADS =
  "parent_message title created_by_user_id created_by active_participant_count thread_participants";
const OWN_OF_THREADS: Keys = {
  channel: { or: [CHANNEL, BROADCAST_CHANNEL] },
  "mood?": "text",
  "details?": "object",
};
/** specification/threads.md §3; `mood` and `details` are custom. */
export const BARE_THREAD = form(
  "Thread",
  { always: OF_THREADS, never: "latest_replies read draft" },
  OWN_OF_THREADS,
);
export const THREAD = form(
  "Thread",
  { always: `${OF_THREADS} latest_replies read` },
  { ...OWN_OF_THREADS, "draft?": "object" },
);

/** specification/attachments.md §3. */
export const UPLOADED = form(
  "UploadedFile",
  {},
  { "upload_sizes?": ["object"], "moderation_action?": "text", duration: "duration" },
);

const FORMS: Readonly<Record<string, Shape>> = {
  User: USER,
  Member: MEMBER,
  Channel: BROADCAST_CHANNEL,
  ChannelConfig: CONFIG,
  ChannelMute: MUTED_CHANNEL,
  Device: DEVICE,
  Message: MESSAGE,
  Reaction: REACTION,
  Poll: POLL,
  PollOption: { id: "text", text: "text", "colour?": "text" },
  PollVote: VOTE,
  SharedLocation: LOCATION,
  Draft: DRAFT,
  DraftMessage: form("DraftMessage", { always: "attachments mentioned_users" }, { "mood?": "text" }),
  Reminder: REMINDER,
  PushPreferences: PUSH,
  ThreadParticipant: form("ThreadParticipant", { always: "user" }),
  MessageTemplate: form("MessageTemplate", { always: "attachments custom" }),
  // Custom keys are allowed in these, or their own tests check them.
  Attachment: "object",
  PendingMessage: "object",
  Thread: "object",
};
