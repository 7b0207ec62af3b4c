/** Settings of the app (specification/admin.md §1). */
import {
  any,
  choice,
  entity,
  flag,
  id,
  list,
  map,
  need,
  object,
  shape,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";

/** A target for events; `webhook_url` applies to `hook_type` webhook (specification/admin.md §12). */
export const EventHook = shape(() => ({
  id: id(),
  hook_type: need(choice("webhook", "sqs", "sns", "pending_message")),
  enabled: need(flag()),
  /** Empty: every event. */
  event_types: need(list(text(), 200)),
  product: text(2048),
  webhook_url: text(2048),
  sqs_queue_url: text(2048),
  sqs_region: text(2048),
  sqs_auth_type: choice("keys", "resource"),
  sqs_key: text(2048),
  sqs_secret: text(2048),
  sns_topic_arn: text(2048),
  sns_region: text(2048),
  sns_auth_type: choice("keys", "resource"),
  sns_key: text(2048),
  sns_secret: text(2048),
  timeout_ms: whole(100, 30_000),
  callback: object({ mode: text() }),
  created_at: time(),
  updated_at: time(),
}));
export interface EventHook extends Infer<typeof EventHook> {}

/** Credentials of one push service; secrets are answered as `""`. */
const credentials = orNull(map(any()));

export const AppSettings = shape(() => ({
  name: need(text()),
  organization: need(text()),
  id: need(whole()),
  placement: need(text()),
  suspended: need(flag()),
  suspended_explanation: need(text()),
  disable_auth_checks: need(flag()),
  disable_permissions_checks: need(flag()),
  permission_version: need(choice("v1", "v2")),
  policies: need(map(any())),
  file_upload_config: need(entity("UploadConfig")),
  image_upload_config: need(entity("UploadConfig")),
  multi_tenant_enabled: need(flag()),
  enforce_unique_usernames: need(choice("no", "app", "team")),
  user_search_disallowed_roles: need(list(text(), 500)),
  guest_user_creation_disabled: need(flag()),
  /** Not in the original protocol: anonymous sessions are off until enabled (specification/embedded-provider.md §2). */
  anonymous_users_enabled: need(flag()),
  /** RFC 3339; null when no token was revoked. */
  revoke_tokens_issued_before: need(orNull(time())),
  /** Seconds a message stays unread before its reminder. */
  reminders_interval: need(whole()),
  user_response_time_enabled: need(flag()),
  async_url_enrich_enabled: need(flag()),
  auto_translation_enabled: need(flag()),
  image_moderation_enabled: need(flag()),
  image_moderation_labels: need(list(text(), 500)),
  channel_hide_members_only: need(flag()),
  /** Empty: any reason. */
  allowed_flag_reasons: need(list(text(), 500)),
  cdn_expiration_seconds: need(whole(1, 10 * 365 * 86_400)),
  shared_locations_enabled: need(flag()),
  webhook_url: need(text(2048)),
  webhook_events: need(list(text(), 500)),
  sqs_url: need(text()),
  sqs_key: need(text()),
  sqs_secret: need(text()),
  sns_topic_arn: need(text()),
  sns_key: need(text()),
  sns_secret: need(text()),
  before_message_send_hook_url: need(text(2048)),
  custom_action_handler_url: need(text(2048)),
  event_hooks: need(list(entity("EventHook"))),
  async_moderation_config: need(
    object({ callback: object({ mode: text(), server_url: text() }), timeout_ms: whole() }),
  ),
  push_config: need(object({ version: need(text()), offline_only: need(flag()) })),
  apn_config: need(credentials),
  firebase_config: need(credentials),
  huawei_config: need(credentials),
  xiaomi_config: need(credentials),
}));
export interface AppSettings extends Infer<typeof AppSettings> {}

/** Keys of PATCH /app that are answered elsewhere: `.app` grants by role (null resets all) and the switch to v2. */
interface AppExtras {
  grants: Record<string, string[]> | null;
  migrate_permissions_to_v2: boolean;
}

/** Only the keys to change; null resets one to its default. */
export type AppChanges = {
  [K in keyof (AppSettings & AppExtras)]?: (AppSettings & AppExtras)[K] | null;
};

const pushSwitch = { enabled: need(flag()), "*": any() };

/** `push_notifications` of GET /app. */
export const PushNotifications = shape(() => ({
  version: need(text()),
  offline_only: need(flag()),
  apn: need(object(pushSwitch)),
  firebase: need(object(pushSwitch)),
  huawei: need(object(pushSwitch)),
  xiaomi: need(object(pushSwitch)),
  providers: need(list(entity("PushProvider"))),
}));
export interface PushNotifications extends Infer<typeof PushNotifications> {}
