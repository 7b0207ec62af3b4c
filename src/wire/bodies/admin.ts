/** Bodies of channel types, commands, permissions, roles, block lists and push services. */
import { BLOCKLIST_TYPES, Blocklist } from "../entities/blocklist.ts";
import { ChannelConfig, CommandInfo } from "../entities/channel.ts";
import { Permission, Role } from "../entities/role.ts";
import { ChannelType } from "../entities/channel-type.ts";
import { WORDS_PER_BLOCKLIST } from "../constants.ts";
import {
  any,
  choice,
  flag,
  id,
  ignored,
  list,
  map,
  need,
  number,
  object,
  optional,
  orBlank,
  sentBack,
  orId,
  orNull,
  text,
  time,
  whole,
  type Field,
} from "../entities/fields.ts";
import { PUSHED_EVENTS, PUSH_PROVIDER_TYPES, type PushProvider } from "../entities/push-provider.ts";
import { acting, resettable } from "./frame.ts";

const threshold = object({ flag: number(0, 1), block: number(0, 1) });
const behavior = choice("flag", "block", "shadow_block");

const {
  name: _name,
  created_at: _created,
  updated_at: _updated,
  grants: _grants,
  ...settings
} = optional(ChannelConfig());
/** The configuration of a channel type; null resets a key to its default. */
export const config = resettable({
  ...settings,
  max_message_length: whole(1, 20_000),
  message_retention: id(16),
  automod: choice("disabled", "simple", "AI"),
  automod_behavior: choice("flag", "block"),
  automod_thresholds: object({ explicit: threshold, spam: threshold, toxic: threshold }),
  /** `""` removes the list. */
  blocklist: orBlank(id(64)),
  blocklist_behavior: orBlank(behavior),
  blocklists: list(object({ blocklist: need(id(64)), behavior: need(behavior) }), 15),
  /** Names, or command objects as in an answer. */
  commands: list(orId(object({ name: need(id(64)) })), 100),
  partition_size: whole(10, 10_000_000),
  partition_ttl: id(32),
  push_level: choice("all", "all_mentions", "mentions", "direct_mentions", "none"),
  allowed_flag_reasons: list(text(), 100),
});

/** The settings that a single channel may override. */
export const overridable = {
  typing_events: config.typing_events,
  reactions: config.reactions,
  replies: config.replies,
  quotes: config.quotes,
  uploads: config.uploads,
  url_enrichment: config.url_enrichment,
  commands: config.commands,
  max_message_length: config.max_message_length,
  blocklist: config.blocklist,
  blocklist_behavior: config.blocklist_behavior,
  user_message_reminders: config.user_message_reminders,
  shared_locations: config.shared_locations,
  count_messages: config.count_messages,
  push_level: config.push_level,
};

/** Lists of permissions by role; null resets all. */
const grants = orNull(map(any<string[]>("string[]")));

/** `config_overrides` of a channel; in its grants `x` adds a permission and `!x` removes it. */
export const channelOverrides = { ...overridable, grants: map(any<string[]>("string[]")) };

const typed = { ...acting, ...config, grants };

const permission = {
  ...acting,
  name: text(255),
  action: text(255),
  description: text(1000),
  owner: flag(),
  same_team: flag(),
  tags: list(text(), 20),
  condition: map(any()),
};

const command = {
  ...acting,
  args: text(255),
  set: text(64),
};
const words = need(list(text(), WORDS_PER_BLOCKLIST));
const queue = text(2048);

export const adminBodies = {
  createChannelType: sentBack({ ...typed, name: need(id(64)) }, ChannelType, "duration"),
  updateChannelType: sentBack({ ...typed, name: id(64) }, ChannelType, "duration"),
  createCommand: sentBack(
    { ...command, name: need(id(64)), description: need(text(255)) },
    CommandInfo,
    "duration",
  ),
  updateCommand: sentBack({ ...command, description: text(255) }, CommandInfo, "duration"),
  createPermission: sentBack(
    { ...permission, id: need(id(64)), name: need(text(255)), action: need(text(255)) },
    Permission,
    "duration",
  ),
  updatePermission: sentBack({ ...permission, id: id(64) }, Permission, "duration"),
  createRole: sentBack({ ...acting, name: need(id(64)) }, Role, "duration"),
  createBlocklist: sentBack(
    { ...acting, name: need(id(64)), words, type: choice(...BLOCKLIST_TYPES) },
    Blocklist,
    "duration",
  ),
  updateBlocklist: sentBack({ ...acting, words }, Blocklist, "duration"),
  upsertPushProvider: {
    ...acting,
    push_provider: need(
      object({
        type: need(choice(...PUSH_PROVIDER_TYPES)),
        name: need(id(64)),
        description: text(255),
        disabled_at: time(),
        ...ignored("created_at", "updated_at"),
        "*": any(),
      }) as unknown as Field<Partial<PushProvider> & Pick<PushProvider, "type" | "name">>,
    ),
  },
  upsertPushTemplate: {
    ...acting,
    event_type: need(choice(...PUSHED_EVENTS)),
    push_provider_type: need(choice(...PUSH_PROVIDER_TYPES)),
    push_provider_name: id(64),
    enable_push: flag(),
    template: text(10_000),
  },
  checkPush: {
    ...acting,
    message_id: id(),
    apn_template: text(10_000),
    firebase_template: text(10_000),
    firebase_data_template: text(10_000),
    push_provider_type: choice(...PUSH_PROVIDER_TYPES),
    push_provider_name: id(64),
    skip_devices: flag(),
    event_type: id(),
  },
  checkSqs: { ...acting, sqs_url: queue, sqs_key: queue, sqs_secret: queue },
  checkSns: { ...acting, sns_topic_arn: queue, sns_key: queue, sns_secret: queue },
};
