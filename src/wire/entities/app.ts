/** Settings of the app (specification/admin.md §1). */
import type { PushProvider } from "./push-provider.ts";
import type { UploadConfig } from "./attachment.ts";

/** A target for events; `webhook_url` applies to `hook_type` webhook (specification/admin.md §12). */
export interface EventHook {
  id?: string;
  hook_type: "webhook" | "sqs" | "sns" | "pending_message";
  enabled: boolean;
  /** Empty: every event. */
  event_types: string[];
  product?: string;
  webhook_url?: string;
  sqs_queue_url?: string;
  sqs_region?: string;
  sqs_auth_type?: "keys" | "resource";
  sqs_key?: string;
  sqs_secret?: string;
  sns_topic_arn?: string;
  sns_region?: string;
  sns_auth_type?: "keys" | "resource";
  sns_key?: string;
  sns_secret?: string;
  timeout_ms?: number;
  callback?: { mode?: string };
  created_at?: string;
  updated_at?: string;
}

/** Credentials of one push service; secrets are answered as `""`. */
type PushCredentials = Record<string, unknown>;

export interface AppSettings {
  name: string;
  organization: string;
  id: number;
  placement: string;
  suspended: boolean;
  suspended_explanation: string;
  disable_auth_checks: boolean;
  disable_permissions_checks: boolean;
  permission_version: "v1" | "v2";
  policies: Record<string, unknown>;
  file_upload_config: UploadConfig;
  image_upload_config: UploadConfig;
  multi_tenant_enabled: boolean;
  enforce_unique_usernames: "no" | "app" | "team";
  user_search_disallowed_roles: string[];
  guest_user_creation_disabled: boolean;
  /** Not in the original protocol: anonymous sessions are off until enabled (specification/embedded-provider.md §2). */
  anonymous_users_enabled: boolean;
  /** RFC 3339; null when no token was revoked. */
  revoke_tokens_issued_before: string | null;
  /** Seconds a message stays unread before its reminder. */
  reminders_interval: number;
  user_response_time_enabled: boolean;
  async_url_enrich_enabled: boolean;
  auto_translation_enabled: boolean;
  image_moderation_enabled: boolean;
  image_moderation_labels: string[];
  channel_hide_members_only: boolean;
  /** Empty: any reason. */
  allowed_flag_reasons: string[];
  cdn_expiration_seconds: number;
  shared_locations_enabled: boolean;
  webhook_url: string;
  webhook_events: string[];
  sqs_url: string;
  sqs_key: string;
  sqs_secret: string;
  sns_topic_arn: string;
  sns_key: string;
  sns_secret: string;
  before_message_send_hook_url: string;
  custom_action_handler_url: string;
  event_hooks: EventHook[];
  async_moderation_config: { callback?: { mode?: string; server_url?: string }; timeout_ms?: number };
  push_config: { version: string; offline_only: boolean };
  apn_config: PushCredentials | null;
  firebase_config: PushCredentials | null;
  huawei_config: PushCredentials | null;
  xiaomi_config: PushCredentials | null;
}

/** Keys of PATCH /app that are answered elsewhere: `.app` grants by role (null resets all) and the switch to v2. */
interface AppExtras {
  grants: Record<string, string[]> | null;
  migrate_permissions_to_v2: boolean;
}

/** Only the keys to change; null resets one to its default. */
export type AppChanges = {
  [K in keyof (AppSettings & AppExtras)]?: (AppSettings & AppExtras)[K] | null;
};

interface PushSwitch extends PushCredentials {
  enabled: boolean;
}

/** `push_notifications` of GET /app. */
export interface PushNotifications {
  version: string;
  offline_only: boolean;
  apn: PushSwitch;
  firebase: PushSwitch;
  huawei: PushSwitch;
  xiaomi: PushSwitch;
  providers: PushProvider[];
}
