/** The configuration keys of channel types and of single channels, each with the check of its value (admin.md §2). */
import type { Database } from "../../store/database.ts";
import { accessOf } from "../access/access.ts";
import { ALL_COMMANDS } from "../access/commands.ts";
import { isObject, type Check } from "../asked/check.ts";

type Read = (check: Check, key: string, db: Database) => unknown;

const flag: Read = (check, key) => check.flag(key);
const oneOf =
  (...names: string[]): Read =>
  (check, key) => {
    const value = check.text(key, 64);
    if (value !== undefined && !names.includes(value)) check.fail(key, `must be one of ${names.join(", ")}`);
    return value;
  };

const BEHAVIORS = ["flag", "block", "shadow_block"];
/** The longest text a type may allow, characters. */
const LONGEST_MESSAGE = 20_000;

const retention: Read = (check, key) => {
  const value = check.text(key, 16);
  if (value !== undefined && value !== "infinite" && !/^[1-9]\d{0,4}$/.test(value))
    check.fail(key, "must be infinite or a number of days as text");
  return value;
};

/** Names of built-in and custom commands, of their sets, or `all`. */
const commands: Read = (check, key, db) => {
  const names = check.texts(key, 100);
  const known = accessOf(db).commands;
  const unknown = names?.find(
    (name) => name !== ALL_COMMANDS && !known.some((one) => one.name === name || one.set === name),
  );
  if (unknown !== undefined) check.fail(key, `names ${unknown.slice(0, 64)}, which is no command`);
  return names && [...new Set(names)];
};

/** `""` takes the list away. */
const blocklist: Read = (check, key, db) => {
  const name = check.text(key, 64);
  if (name && !isBlocklist(db, name)) check.fail(key, `names ${name}, which is no blocklist`);
  return name;
};

const isBlocklist = (db: Database, name: string): boolean =>
  db.get("SELECT 1 FROM blocklists WHERE name = ?", name) !== undefined;

const blocklists: Read = (check, key, db) =>
  check.list(key, 15)?.map((given, i) => {
    const inner = check.part(isObject(given) ? given : {}, `${key}.${i}.`);
    const name = inner.need("blocklist", 64);
    if (name && !isBlocklist(db, name)) inner.fail("blocklist", `names ${name}, which is no blocklist`);
    const behavior = inner.need("behavior", 64);
    if (behavior && !BEHAVIORS.includes(behavior))
      inner.fail("behavior", `must be one of ${BEHAVIORS.join(", ")}`);
    return { blocklist: name, behavior };
  });

const thresholds: Read = (check, key) => {
  const given = check.object(key);
  if (!given) return undefined;
  const inner = check.inside(key);
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    if (!["explicit", "spam", "toxic"].includes(name)) inner.fail(name, "must be explicit, spam or toxic");
    const part = inner.inside(name);
    const flagAt = part.decimal("flag", 0, 1);
    const blockAt = part.decimal("block", 0, 1);
    kept[name] = {
      ...(flagAt === undefined ? {} : { flag: flagAt }),
      ...(blockAt === undefined ? {} : { block: blockAt }),
    };
  }
  return kept;
};

const duration: Read = (check, key) => {
  const value = check.text(key, 32);
  if (value !== undefined && !/^(?=.)(?:\d+h)?(?:\d+m)?(?:\d+s)?$/.test(value))
    check.fail(key, "must be a duration such as 24h0m0s");
  return value;
};

export const CONFIG: Readonly<Record<string, Read>> = {
  typing_events: flag,
  read_events: flag,
  connect_events: flag,
  delivery_events: flag,
  custom_events: flag,
  search: flag,
  reactions: flag,
  replies: flag,
  quotes: flag,
  mutes: flag,
  uploads: flag,
  url_enrichment: flag,
  push_notifications: flag,
  reminders: flag,
  count_messages: flag,
  polls: flag,
  user_message_reminders: flag,
  shared_locations: flag,
  mark_messages_pending: flag,
  skip_last_msg_update_for_system_msgs: flag,
  max_message_length: (check, key) => check.whole(key, 1, LONGEST_MESSAGE),
  message_retention: retention,
  automod: oneOf("disabled", "simple", "AI"),
  automod_behavior: oneOf("flag", "block"),
  automod_thresholds: thresholds,
  blocklist,
  blocklist_behavior: oneOf(...BEHAVIORS),
  blocklists,
  commands,
  partition_size: (check, key) => check.whole(key, 1, 10_000_000),
  partition_ttl: duration,
  push_level: oneOf("all", "all_mentions", "mentions", "direct_mentions", "none"),
  chat_preferences: (check, key) => check.object(key),
  allowed_flag_reasons: (check, key) => check.texts(key, 100),
};

/**
 * Reads the configuration keys of `source`, those of `allowed` only; others fail with `refusal`. Null is answered in
 * `cleared`: the key goes back to what it was built with.
 */
export function readConfig(
  db: Database,
  check: Check,
  source: Record<string, unknown>,
  options: { skip: ReadonlySet<string>; allowed?: ReadonlySet<string>; refusal: string },
): { settings: Record<string, unknown>; cleared: string[] } {
  const settings: Record<string, unknown> = {};
  const cleared: string[] = [];
  for (const key of Object.keys(source)) {
    if (options.skip.has(key)) continue;
    const read = Object.hasOwn(CONFIG, key) ? CONFIG[key] : undefined;
    if (!read || options.allowed?.has(key) === false) check.fail(key, options.refusal);
    else if (source[key] === null) cleared.push(key);
    else {
      const value = read(check, key, db);
      if (value !== undefined) settings[key] = value;
    }
  }
  return { settings, cleared };
}
