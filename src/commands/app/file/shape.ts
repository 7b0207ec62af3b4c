/** The shape of an app file, which `app backup` writes and `plan` and `apply` read. */
import { adminBodies, config } from "../../../wire/bodies/admin.ts";
import { appBodies } from "../../../wire/bodies/app.ts";
import {
  ignoredOf,
  list,
  map,
  need,
  object,
  orNull,
  text,
  type Field,
  type Shape,
} from "../../../wire/entities/fields.ts";
import type { Fields } from "../../../wire/json-object.ts";

/** A parsed app file: sections are optional; an entry that is null is removed. */
export interface AppFile {
  settings?: Fields;
  roles?: string[];
  permissions?: Record<string, Fields | null>;
  commands?: Record<string, Fields | null>;
  blocklists?: Record<string, { type?: string; words: string[] } | null>;
  channel_types?: Record<string, (Fields & { grants?: Record<string, string[]> }) | null>;
  grants?: Record<string, string[]>;
  push_providers?: Record<string, Fields | null>;
}

/** Fields of `updateApp` that are actions, or have their own section. */
const EXCLUDED_FIELDS = new Set([
  "user",
  "user_id",
  "grants",
  "migrate_permissions_to_v2",
  "revoke_tokens_issued_before",
]);

/** Optional fields, which null unsets; all others always have a value. */
const OPTIONAL_FIELDS = new Set([
  "apn_config",
  "firebase_config",
  "huawei_config",
  "xiaomi_config",
  "automod_thresholds",
  "blocklist",
  "blocklist_behavior",
  "blocklists",
  "partition_size",
  "partition_ttl",
  "push_level",
  "chat_preferences",
  "allowed_flag_reasons",
]);

/** The fields allowed in a file. */
const fileFields = (shape: Shape, without: ReadonlySet<string> = new Set(ignoredOf(shape))): Shape =>
  Object.fromEntries(
    Object.entries(shape)
      .filter(([key]) => !without.has(key))
      .map(([key, { nulls: _nulls, ...field }]) => [key, OPTIONAL_FIELDS.has(key) ? orNull(field) : field]),
  );

const IDENTITY_FIELDS = ["user", "user_id", "id", "name"];
const entry = (shape: Shape, without: readonly string[] = IDENTITY_FIELDS): Field =>
  orNull(object(fileFields(shape, new Set([...without, ...ignoredOf(shape)]))));
const names = map(list(text(64), 500));

const { type, words } = adminBodies.createBlocklist;
const push = adminBodies.upsertPushProvider.push_provider.shape!;

export const APP_SETTINGS = fileFields(
  appBodies.updateApp as unknown as Shape,
  new Set([...EXCLUDED_FIELDS, ...ignoredOf(appBodies.updateApp as unknown as Shape)]),
);
/** Commands are listed by name. */
export const TYPE_SETTINGS = fileFields({ ...config, commands: list(text(64), 100) });

export const APP_FILE = {
  settings: object(APP_SETTINGS),
  roles: list(text(64)),
  permissions: map(
    entry({ ...adminBodies.updatePermission, name: need(text(255)), action: need(text(255)) }, [
      "user",
      "user_id",
      "id",
    ]),
  ),
  commands: map(entry(adminBodies.createCommand)),
  blocklists: map(orNull(object({ type, words: need(words) }))),
  channel_types: map(orNull(object({ ...TYPE_SETTINGS, grants: names }))),
  grants: names,
  push_providers: map(entry(push, ["type", "name"])),
} satisfies Shape;

/** Descriptions for editors by dotted path. */
export const APP_KEY_HELP: Readonly<Record<string, string>> = {
  settings: "Settings of the app; what is not named stays.",
  roles: "The app's own roles.",
  permissions: "The app's own permissions by id; null removes one.",
  commands: "The app's own slash commands by name; null removes one.",
  blocklists: "Lists of words that messages are checked for, by name; null removes one.",
  channel_types:
    "What channels of a type can do, by name; what is not named of a type stays; null removes one.",
  "channel_types.*.commands": "Names of commands, a set, or all.",
  "channel_types.*.grants": "What roles may do in its channels: the whole list of a role that is named.",
  grants: "What roles may do in the app: the whole list of a role that is named.",
  push_providers: "Push services by type/name, such as firebase/main; null removes one.",
};

/** The key of a push service in a file. */
export const pushName = ({ type: service, name }: { type: string; name: string }): string =>
  `${service}/${name}`;
