/** The body that changes the app's settings: only the keys to change, null resets one. */
import type { AppChanges, EventHook } from "../entities/app.ts";
import { REMINDERS_INTERVAL } from "../constants.ts";
import {
  any,
  choice,
  flag,
  id,
  ignored,
  list,
  map,
  need,
  object,
  text,
  time,
  whole,
  type Field,
} from "../entities/fields.ts";
import { acting, resettable } from "./frame.ts";

const names = list(text(), 500);

const uploads = {
  allowed_file_extensions: names,
  blocked_file_extensions: names,
  allowed_mime_types: names,
  blocked_mime_types: names,
  size_limit: whole(0),
};

const address = text(2048);
const access = choice("keys", "resource");

const eventHook = {
  id: id(),
  hook_type: need(choice("webhook", "sqs", "sns", "pending_message")),
  enabled: flag(),
  event_types: list(text(), 200),
  webhook_url: address,
  product: address,
  sqs_queue_url: address,
  sqs_region: address,
  sqs_auth_type: access,
  sqs_key: address,
  sqs_secret: address,
  sns_topic_arn: address,
  sns_region: address,
  sns_auth_type: access,
  sns_key: address,
  sns_secret: address,
  timeout_ms: whole(100, 30_000),
  callback: map(any()),
  ...ignored("created_at", "updated_at"),
};

const moderation = {
  callback: object({ mode: text(64), server_url: text(2048) }),
  timeout_ms: whole(0),
};

/** Each can be null, which resets it. */
const settings = {
  suspended: flag(),
  suspended_explanation: text(),
  disable_auth_checks: flag(),
  disable_permissions_checks: flag(),
  permission_version: choice("v1", "v2"),
  policies: map(any()),
  file_upload_config: object(uploads),
  image_upload_config: object(uploads),
  multi_tenant_enabled: flag(),
  enforce_unique_usernames: choice("no", "app", "team"),
  user_search_disallowed_roles: names,
  guest_user_creation_disabled: flag(),
  anonymous_users_enabled: flag(),
  revoke_tokens_issued_before: time(),
  reminders_interval: whole(REMINDERS_INTERVAL[1], REMINDERS_INTERVAL[2]),
  user_response_time_enabled: flag(),
  async_url_enrich_enabled: flag(),
  auto_translation_enabled: flag(),
  image_moderation_enabled: flag(),
  image_moderation_labels: names,
  channel_hide_members_only: flag(),
  allowed_flag_reasons: names,
  cdn_expiration_seconds: whole(1, 10 * 365 * 86_400),
  shared_locations_enabled: flag(),
  webhook_url: address,
  webhook_events: names,
  sqs_url: text(),
  sqs_key: text(),
  sqs_secret: text(),
  sns_topic_arn: text(),
  sns_key: text(),
  sns_secret: text(),
  before_message_send_hook_url: address,
  custom_action_handler_url: address,
  event_hooks: list(object(eventHook), 50) as unknown as Field<EventHook[]>,
  async_moderation_config: object(moderation),
  push_config: object({ version: choice("v1", "v2"), offline_only: flag() }),
  apn_config: map(any()),
  firebase_config: map(any()),
  huawei_config: map(any()),
  xiaomi_config: map(any()),
  /** `.app` grants by role; null resets all. */
  grants: map(any<string[]>("string[]")),
};

export const appBodies = {
  updateApp: {
    ...acting,
    ...resettable(settings),
    migrate_permissions_to_v2: flag(),
    ...ignored(
      "name",
      "organization",
      "id",
      "placement",
      "channel_configs",
      "push_notifications",
      "duration",
    ),
  } as unknown as { readonly [K in keyof Required<AppChanges>]: Field<AppChanges[K]> } & typeof acting,
};
