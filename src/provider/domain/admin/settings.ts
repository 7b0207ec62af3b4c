/** What PATCH /app takes: one reader a key, which checks its value and gives what is stored (admin.md §1). */
import type { AppSettings } from "../../../wire/app.ts";
import { REMINDERS_INTERVAL } from "../../../wire/constants.ts";
import type { Call } from "../../handler.ts";
import { isWebAddress } from "../../hooks/address.ts";
import { isObject, type Check, type Fields } from "../asked/check.ts";

export type Read = (check: Check, key: string, call: Call) => unknown;

const flag: Read = (check, key) => check.flag(key);
const text: Read = (check, key) => check.text(key);
const texts: Read = (check, key) => check.texts(key, 500);
const object: Read = (check, key) => check.object(key);
const oneOf =
  (...names: string[]): Read =>
  (check, key) => {
    const value = check.text(key);
    if (value !== undefined && !names.includes(value)) check.fail(key, `must be one of ${names.join(", ")}`);
    return value;
  };
const whole =
  (least: number, most: number): Read =>
  (check, key) =>
    check.whole(key, least, most);

/** `""` is off. Any address is kept; only those on this machine are ever called (hooks/address.ts). */
const address: Read = (check, key) => {
  const value = check.text(key, 2048);
  if (value && !isWebAddress(value)) check.fail(key, "must be an http or https address");
  return value;
};

const uploads: Read = (check, key) => {
  const given = check.object(key);
  if (!given) return undefined;
  const inner = check.inside(key);
  const known = [
    "allowed_file_extensions",
    "blocked_file_extensions",
    "allowed_mime_types",
    "blocked_mime_types",
    "size_limit",
  ];
  for (const name of Object.keys(given)) if (!known.includes(name)) inner.fail(name, "is not a setting");
  const list = (name: string): string[] => inner.texts(name, 500) ?? [];
  const kept = {
    allowed_file_extensions: list("allowed_file_extensions"),
    blocked_file_extensions: list("blocked_file_extensions"),
    allowed_mime_types: list("allowed_mime_types"),
    blocked_mime_types: list("blocked_mime_types"),
    size_limit: inner.whole("size_limit", 0) ?? 0,
  };
  return kept;
};

const date: Read = (check, key) => {
  const value = check.text(key, 64);
  return check.date(key) === undefined ? undefined : value;
};

const HOOK_TYPES = ["webhook", "sqs", "sns", "pending_message"];
const HOOK_TEXTS = [
  "product",
  "sqs_queue_url",
  "sqs_region",
  "sqs_auth_type",
  "sqs_key",
  "sqs_secret",
  "sns_topic_arn",
  "sns_region",
  "sns_auth_type",
  "sns_key",
  "sns_secret",
];
const HOOKS = 50;

/** The list sent replaces all; a hook without an id gets one. */
const hooks: Read = (check, key, call) =>
  check.list(key, HOOKS)?.map((given, i) => {
    const source = isObject(given) ? given : {};
    const inner = check.part(source, `${key}.${i}.`);
    if (!isObject(given)) inner.fail("hook_type", "is required");
    const kind = inner.need("hook_type", 64);
    if (kind && !HOOK_TYPES.includes(kind))
      inner.fail("hook_type", `must be one of ${HOOK_TYPES.join(", ")}`);
    const url = address(inner, "webhook_url", call) as string | undefined;
    if (kind === "webhook" && !url) inner.fail("webhook_url", "is required");
    const hook: Fields = {
      id: inner.id("id") ?? call.uuid(),
      hook_type: kind,
      enabled: inner.flag("enabled") ?? true,
      event_types: inner.texts("event_types", 200) ?? [],
      ...(url ? { webhook_url: url } : {}),
    };
    for (const name of HOOK_TEXTS) {
      const value = inner.text(name, 2048);
      if (value !== undefined) hook[name] = value;
    }
    for (const name of ["sqs_auth_type", "sns_auth_type"])
      if (hook[name] !== undefined && hook[name] !== "keys" && hook[name] !== "resource")
        inner.fail(name, "must be keys or resource");
    const timeout = inner.whole("timeout_ms", 100, 30_000);
    if (timeout !== undefined) hook.timeout_ms = timeout;
    const callback = inner.object("callback");
    if (callback) hook.callback = callback;
    const known = new Set([...HOOK_TEXTS, ...Object.keys(hook), "webhook_url", "timeout_ms", "callback"]);
    for (const name of ["created_at", "updated_at"]) known.add(name);
    for (const name of Object.keys(source)) if (!known.has(name)) inner.fail(name, "is not a setting");
    return hook;
  });

const pushConfig: Read = (check, key) => {
  const given = check.object(key);
  if (!given) return undefined;
  const inner = check.inside(key);
  for (const name of Object.keys(given))
    if (name !== "version" && name !== "offline_only") inner.fail(name, "is not a setting");
  const version = inner.text("version", 8) ?? "v2";
  if (!["v1", "v2"].includes(version)) inner.fail("version", "must be v1 or v2");
  return { version, offline_only: inner.flag("offline_only") ?? false };
};

const moderation: Read = (check, key) => {
  const given = check.object(key);
  if (!given) return undefined;
  const inner = check.inside(key);
  inner.whole("timeout_ms", 0);
  const callback = inner.inside("callback");
  callback.text("mode", 64);
  callback.text("server_url", 2048);
  return given;
};

/** Kept as it came: credentials are for services this provider never calls. */
const credentials: Read = object;

/** One reader for each key that can be changed; keys without one are read-only. */
export const SETTINGS: Readonly<Partial<Record<keyof AppSettings, Read>>> = {
  suspended: flag,
  suspended_explanation: text,
  disable_auth_checks: flag,
  disable_permissions_checks: flag,
  permission_version: oneOf("v1", "v2"),
  policies: object,
  file_upload_config: uploads,
  image_upload_config: uploads,
  multi_tenant_enabled: flag,
  enforce_unique_usernames: oneOf("no", "app", "team"),
  user_search_disallowed_roles: texts,
  guest_user_creation_disabled: flag,
  anonymous_users_enabled: flag,
  revoke_tokens_issued_before: date,
  reminders_interval: whole(REMINDERS_INTERVAL[1], REMINDERS_INTERVAL[2]),
  user_response_time_enabled: flag,
  async_url_enrich_enabled: flag,
  auto_translation_enabled: flag,
  image_moderation_enabled: flag,
  image_moderation_labels: texts,
  channel_hide_members_only: flag,
  allowed_flag_reasons: texts,
  cdn_expiration_seconds: whole(1, 10 * 365 * 86_400),
  shared_locations_enabled: flag,
  webhook_url: address,
  webhook_events: texts,
  sqs_url: text,
  sqs_key: text,
  sqs_secret: text,
  sns_topic_arn: text,
  sns_key: text,
  sns_secret: text,
  before_message_send_hook_url: address,
  custom_action_handler_url: address,
  event_hooks: hooks,
  async_moderation_config: moderation,
  push_config: pushConfig,
  apn_config: credentials,
  firebase_config: credentials,
  huawei_config: credentials,
  xiaomi_config: credentials,
};
