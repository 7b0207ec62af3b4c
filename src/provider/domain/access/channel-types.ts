/** The built-in channel types and their switches (admin.md §3): what a channel of a type can do at all. */
import type { ChannelConfig, CommandInfo } from "../../../wire/channel.ts";
import { DEFAULT_MAX_MESSAGE_LENGTH } from "../../../wire/constants.ts";
import type { Fields } from "../asked/check.ts";

/** Commands that every built-in type offers: the text is kept, `command` and `args` are read from it. */
const COMMANDS: CommandInfo[] = [
  { name: "me", description: "Say what you are doing", args: "[action]", set: "fun_set" },
  { name: "shrug", description: "Shrug, with an optional remark", args: "[text]", set: "fun_set" },
];

const SINCE = "2026-01-01T00:00:00.000000Z";

/** What this provider has no route for (search, previews, push, reminders) is off, so that no client offers it. */
const MESSAGING: ChannelConfig = {
  name: "messaging",
  typing_events: true,
  read_events: true,
  connect_events: true,
  delivery_events: true,
  custom_events: true,
  search: false,
  reactions: true,
  replies: true,
  quotes: true,
  mutes: true,
  uploads: true,
  url_enrichment: false,
  push_notifications: false,
  reminders: false,
  count_messages: false,
  polls: true,
  user_message_reminders: false,
  shared_locations: true,
  mark_messages_pending: false,
  skip_last_msg_update_for_system_msgs: false,
  max_message_length: DEFAULT_MAX_MESSAGE_LENGTH,
  message_retention: "infinite",
  automod: "disabled",
  automod_behavior: "flag",
  created_at: SINCE,
  updated_at: SINCE,
  commands: COMMANDS,
};

const quiet = {
  typing_events: false,
  read_events: false,
  connect_events: false,
  delivery_events: false,
  shared_locations: false,
} as const;

const TYPES: Record<string, ChannelConfig> = {
  messaging: MESSAGING,
  team: { ...MESSAGING, name: "team" },
  livestream: { ...MESSAGING, ...quiet, name: "livestream" },
  gaming: { ...MESSAGING, ...quiet, name: "gaming", polls: false, uploads: false },
  commerce: {
    ...MESSAGING,
    name: "commerce",
    polls: false,
    delivery_events: false,
    shared_locations: false,
  },
};

export const CHANNEL_TYPES = Object.keys(TYPES);

/** Keys that `config_overrides` of one channel may name (admin.md §3). */
export const OVERRIDABLE: ReadonlySet<string> = new Set([
  "typing_events",
  "reactions",
  "replies",
  "quotes",
  "uploads",
  "url_enrichment",
  "max_message_length",
  "user_message_reminders",
  "shared_locations",
  "count_messages",
]);

/** The switches of a channel: those of its type with the channel's own overrides; undefined for an unknown type. */
export function configOf(type: string, overrides?: string | null): ChannelConfig | undefined {
  const base = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!base || !overrides) return base;
  return { ...base, ...(JSON.parse(overrides) as Fields) } as ChannelConfig;
}

/** The command at the start of a text, when the channel offers it (messages.md §5). */
export function commandOf(
  text: string,
  commands: readonly CommandInfo[],
): { command: string; args: string } | undefined {
  const found = /^\/([a-z0-9_-]{1,64})(?:\s+([\s\S]*))?$/.exec(text);
  return found && commands.some(({ name }) => name === found[1])
    ? { command: found[1]!, args: (found[2] ?? "").trim() }
    : undefined;
}
