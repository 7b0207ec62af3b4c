/** The built-in channel types and their switches (specification/admin.md §2): what a channel of a type can do at all. */
import { overridable } from "../../../../wire/bodies/admin.ts";
import type { ChannelConfig } from "../../../../wire/entities/channel.ts";
import type { BUILT_IN_CHANNEL_TYPES } from "../../../../wire/entities/channel-type.ts";
import { DEFAULT_MAX_MESSAGE_LENGTH } from "../../../../wire/constants.ts";

/** A type's own settings: like its configuration, with commands as names. */
export type TypeSettings = Omit<ChannelConfig, "commands" | "grants"> & { commands: string[] };

export const SINCE = "2026-01-01T00:00:00.000000Z";

/** What a type of the app begins with. */
export const NEW_TYPE: Omit<TypeSettings, "name" | "created_at" | "updated_at"> = {
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

/** Polls, locations and reminders are on where people talk to each other. */
const TALK = { polls: true, shared_locations: true, user_message_reminders: true };
/** Ours: the table leaves delivery receipts off everywhere; in an embedded provider they cost nothing and people look for them. */
const DELIVERY = { delivery_events: true };
/** Large audiences: nothing that grows with everybody's every move. */
const AUDIENCE = {
  typing_events: false,
  read_events: false,
  connect_events: false,
  url_enrichment: false,
  push_notifications: false,
};

const made = (name: string, settings: Partial<TypeSettings>): TypeSettings => ({
  name,
  created_at: SINCE,
  updated_at: SINCE,
  ...NEW_TYPE,
  ...settings,
});

export const BUILT_IN_TYPES: Readonly<Record<string, TypeSettings>> = {
  messaging: made("messaging", { ...TALK, ...DELIVERY }),
  team: made("team", { ...TALK, ...DELIVERY, count_messages: true }),
  livestream: made("livestream", { ...AUDIENCE, polls: true }),
  gaming: made("gaming", { ...AUDIENCE, search: false, uploads: false }),
  commerce: made("commerce", {}),
} satisfies Record<(typeof BUILT_IN_CHANNEL_TYPES)[number], TypeSettings>;

/** Keys that `config_overrides` of one channel may name (specification/admin.md §2). */
export const OVERRIDABLE: ReadonlySet<string> = new Set(Object.keys(overridable));
