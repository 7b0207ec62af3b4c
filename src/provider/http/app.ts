/** Settings of the one app a provider serves, and `GET /app` (admin.md §1). */
import type { UploadConfig } from "../../wire/attachment.ts";
import type { Handler } from "../handler.ts";
import type { Database } from "../store/database.ts";
import { kept } from "../store/kept.ts";

export interface App {
  name: string;
  suspended: boolean;
  disable_auth_checks: boolean;
  disable_permissions_checks: boolean;
  guest_user_creation_disabled: boolean;
  /** Ours: anonymous sessions are off until enabled (decisions 28). */
  anonymous_users_enabled: boolean;
  /** RFC 3339; null when no token was revoked. */
  revoke_tokens_issued_before: string | null;
  image_upload_config: UploadConfig;
  file_upload_config: UploadConfig;
  auto_translation_enabled: boolean;
  async_url_enrich_enabled: boolean;
  multi_tenant_enabled: boolean;
  shared_locations_enabled: boolean;
  /** Where two users may not have the same name (users.md §4). */
  enforce_unique_usernames: "no" | "app" | "team";
  /** Users of these roles are hidden from client-side queries. */
  user_search_disallowed_roles: string[];
}

const uploads = (): Required<UploadConfig> => ({
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: 0,
});

const DEFAULTS = (): App => ({
  name: "parley",
  suspended: false,
  disable_auth_checks: false,
  disable_permissions_checks: false,
  guest_user_creation_disabled: true,
  anonymous_users_enabled: false,
  revoke_tokens_issued_before: null,
  image_upload_config: uploads(),
  file_upload_config: uploads(),
  auto_translation_enabled: false,
  async_url_enrich_enabled: false,
  multi_tenant_enabled: false,
  shared_locations_enabled: true,
  enforce_unique_usernames: "no",
  user_search_disallowed_roles: [],
});

/** What a client-side call may see. */
const REDUCED = [
  "name",
  "file_upload_config",
  "image_upload_config",
  "auto_translation_enabled",
  "async_url_enrich_enabled",
  "multi_tenant_enabled",
  "shared_locations_enabled",
] as const satisfies (keyof App)[];

/** The settings in force; authentication asks with every call. */
export const readApp: (db: Database) => App = kept("app", (db) => {
  const app = DEFAULTS();
  for (const { key, json } of db.all<{ key: string; json: string }>("SELECT key, json FROM app_setting"))
    if (Object.hasOwn(app, key)) Object.assign(app, { [key]: JSON.parse(json) as unknown });
  return app;
});

/** Stores the given settings; `undefined` values stay as they are. Call inside a transaction. */
export function writeApp(db: Database, changes: Partial<App>): void {
  for (const [key, value] of Object.entries(changes))
    if (value !== undefined)
      db.run(
        "INSERT INTO app_setting (key, json) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET json = excluded.json",
        key,
        JSON.stringify(value),
      );
}

export const getApp: Handler = ({ db, caller }) => {
  const app = readApp(db);
  if (caller.kind === "server") return { app: { ...app } };
  return { app: Object.fromEntries(REDUCED.map((key) => [key, app[key]])) };
};
