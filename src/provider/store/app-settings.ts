/** Settings of the provider's one app, and the part that clients may see (specification/admin.md §1). */
import type { AppSettings } from "../../wire/entities/app.ts";
import { FILE_URL_LIFETIME_SECONDS, REMINDERS_INTERVAL } from "../../wire/constants.ts";
import { noUploadRules } from "../../wire/upload-rules.ts";
import type { Database } from "../base/database.ts";
import { cachedByStamp } from "./cached-by-stamp.ts";

/** Guests and anonymous users are off in the embedded provider until enabled (specification/embedded-provider.md §2). */
const appDefaults = (): AppSettings => ({
  name: "parley",
  organization: "",
  id: 1,
  placement: "local",
  suspended: false,
  suspended_explanation: "",
  disable_auth_checks: false,
  disable_permissions_checks: false,
  permission_version: "v2",
  policies: {},
  file_upload_config: noUploadRules(),
  image_upload_config: noUploadRules(),
  multi_tenant_enabled: false,
  enforce_unique_usernames: "no",
  user_search_disallowed_roles: [],
  guest_user_creation_disabled: true,
  anonymous_users_enabled: false,
  revoke_tokens_issued_before: null,
  reminders_interval: REMINDERS_INTERVAL[0],
  user_response_time_enabled: false,
  async_url_enrich_enabled: false,
  auto_translation_enabled: false,
  image_moderation_enabled: false,
  image_moderation_labels: [],
  channel_hide_members_only: false,
  allowed_flag_reasons: [],
  cdn_expiration_seconds: FILE_URL_LIFETIME_SECONDS,
  shared_locations_enabled: true,
  webhook_url: "",
  webhook_events: [],
  sqs_url: "",
  sqs_key: "",
  sqs_secret: "",
  sns_topic_arn: "",
  sns_key: "",
  sns_secret: "",
  before_message_send_hook_url: "",
  custom_action_handler_url: "",
  event_hooks: [],
  async_moderation_config: {},
  push_config: { version: "v2", offline_only: false },
  apn_config: null,
  firebase_config: null,
  huawei_config: null,
  xiaomi_config: null,
});

const CLIENT_KEYS = [
  "name",
  "file_upload_config",
  "image_upload_config",
  "auto_translation_enabled",
  "async_url_enrich_enabled",
  "multi_tenant_enabled",
  "shared_locations_enabled",
] as const satisfies (keyof AppSettings)[];

/** The current settings; cached, because every call reads them. */
export const readApp: (db: Database) => AppSettings = cachedByStamp("app", (db) => {
  const app = appDefaults();
  for (const { key, json } of db.all<{ key: string; json: string }>("SELECT key, json FROM app_setting"))
    if (Object.hasOwn(app, key)) Object.assign(app, { [key]: JSON.parse(json) as unknown });
  return app;
});

/** Stores the given settings; `undefined` values stay as they are. Call inside a transaction. */
export function writeApp(db: Database, changes: Partial<AppSettings>): void {
  for (const [key, value] of Object.entries(changes))
    if (value !== undefined)
      db.run(
        "INSERT INTO app_setting (key, json) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET json = excluded.json",
        key,
        JSON.stringify(value),
      );
}

/** Resets these keys to their defaults. Call inside a transaction. */
export function resetApp(db: Database, keys: readonly string[]): void {
  for (const key of keys) db.run("DELETE FROM app_setting WHERE key = ?", key);
}

/** The error message of a suspended app (code 99). */
export const suspensionMessage = ({ suspended_explanation: reason }: AppSettings): string =>
  reason === "" ? "app is suspended" : `app is suspended: ${reason}`;

export const clientSettings = (app: AppSettings): Partial<AppSettings> =>
  Object.fromEntries(CLIENT_KEYS.map((key) => [key, app[key]]));
