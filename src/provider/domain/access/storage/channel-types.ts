/** The built-in channel types and their settings (specification/admin.md §2). */
import { overridable } from "../../../../wire/bodies/admin.ts";
import type { ChannelConfig } from "../../../../wire/entities/channel.ts";
import type { BUILT_IN_CHANNEL_TYPES } from "../../../../wire/entities/channel-type.ts";
import { DEFAULT_MAX_MESSAGE_LENGTH } from "../../../../wire/constants.ts";

/** Settings of a channel type as they are stored: commands are names. */
export type TypeSettings = Omit<ChannelConfig, "commands" | "grants"> & { commands: string[] };

export const BUILT_IN_SINCE = "2026-01-01T00:00:00.000000Z";

export const DEFAULT_TYPE_SETTINGS: Omit<TypeSettings, "name" | "created_at" | "updated_at"> = {
  typing_events: true,
  read_events: true,
  connect_events: true,
  delivery_events: false,
  custom_events: true,
  search: true,
  reactions: true,
  replies: true,
  quotes: true,
  mutes: true,
  uploads: true,
  url_enrichment: true,
  push_notifications: true,
  reminders: false,
  count_messages: false,
  polls: false,
  user_message_reminders: false,
  shared_locations: false,
  mark_messages_pending: false,
  skip_last_msg_update_for_system_msgs: false,
  max_message_length: DEFAULT_MAX_MESSAGE_LENGTH,
  message_retention: "infinite",
  automod: "disabled",
  automod_behavior: "flag",
  commands: ["all"],
};

const CONVERSATION = { polls: true, shared_locations: true, user_message_reminders: true };
/** The specification leaves delivery receipts off everywhere; in the embedded provider they cost nothing and people expect them. */
const DELIVERY_RECEIPTS = { delivery_events: true };
/** For large audiences: no feature that sends something for each user's every action. */
const LARGE_AUDIENCE = {
  typing_events: false,
  read_events: false,
  connect_events: false,
  url_enrichment: false,
  push_notifications: false,
};

const builtInType = (name: string, settings: Partial<TypeSettings>): TypeSettings => ({
  name,
  created_at: BUILT_IN_SINCE,
  updated_at: BUILT_IN_SINCE,
  ...DEFAULT_TYPE_SETTINGS,
  ...settings,
});

export const BUILT_IN_TYPES: Readonly<Record<string, TypeSettings>> = {
  messaging: builtInType("messaging", { ...CONVERSATION, ...DELIVERY_RECEIPTS }),
  team: builtInType("team", { ...CONVERSATION, ...DELIVERY_RECEIPTS, count_messages: true }),
  livestream: builtInType("livestream", { ...LARGE_AUDIENCE, polls: true }),
  gaming: builtInType("gaming", { ...LARGE_AUDIENCE, search: false, uploads: false }),
  commerce: builtInType("commerce", {}),
} satisfies Record<(typeof BUILT_IN_CHANNEL_TYPES)[number], TypeSettings>;

/** Keys that `config_overrides` of a channel may contain (specification/admin.md §2). */
export const OVERRIDABLE: ReadonlySet<string> = new Set(Object.keys(overridable));
