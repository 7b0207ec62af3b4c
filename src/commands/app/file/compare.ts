/** Compares an app file with the app and lists the steps that make the app match it. */
import { CommandError } from "../../base/define-command.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import { noUploadRules } from "../../../wire/upload-rules.ts";
import { changedParts, type CompareOptions } from "./changes.ts";
import { typeSteps, type CommandSets } from "./channel-types.ts";
import { grantChanges, grantRequest, roleSteps } from "./roles.ts";
import {
  BLOCKLISTS,
  COMMANDS,
  entrySteps,
  PERMISSIONS,
  PUSH,
  type Section,
  type AppStep,
  type AppSteps,
} from "./sections.ts";
import type { AppFile } from "./shape.ts";

/** Settings that affect what people may do. */
const PERMISSION_SETTINGS = new Set([
  "suspended",
  "disable_auth_checks",
  "disable_permissions_checks",
  "permission_version",
  "policies",
  "multi_tenant_enabled",
  "user_search_disallowed_roles",
  "guest_user_creation_disabled",
  "anonymous_users_enabled",
  "enforce_unique_usernames",
]);

const withDefaults = (value: unknown, defaults: Fields): unknown =>
  isObject(value) ? { ...defaults, ...value } : value;

/** Fills in defaults for missing parts of an object setting: an update replaces the whole object. */
function withPartDefaults(key: string, value: unknown): unknown {
  if (key.endsWith("_upload_config")) return withDefaults(value, noUploadRules());
  if (key === "push_config") return withDefaults(value, { version: "v2", offline_only: false });
  if (PUSH_CONFIGS.has(key)) return withDefaults(value, { enabled: true });
  if (key === "event_hooks" && Array.isArray(value))
    return value.map((hook) => withDefaults(hook, { enabled: true, event_types: [] }));
  return value;
}

const PUSH_CONFIGS = new Set(["apn_config", "firebase_config", "huawei_config", "xiaomi_config"]);

function settingSteps(wanted: Fields | undefined, now: Fields, options: CompareOptions): AppStep[] {
  if (wanted === undefined) return [];
  const all = Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => [key, withPartDefaults(key, value)]),
  );
  const changes = changedParts({ kind: "setting", name: "app" }, all, now, options, (field) =>
    PERMISSION_SETTINGS.has(field),
  );
  const named = changes.map(({ field, ...change }) => ({ ...change, name: field! }));
  const body = Object.fromEntries(named.map(({ name }) => [name, wanted[name]]));
  return named.length === 0 ? [] : [{ changes: named, send: (core) => core.call("updateApp", { body }) }];
}

/** Blocklists as the provider stores them: in lower case, except patterns. Throws `CommandError` (rejected) for a changed type. */
function normaliseBlocklists(
  wanted: AppFile["blocklists"],
  current: Required<AppFile>,
): AppFile["blocklists"] {
  const normalised = Object.entries(wanted ?? {}).map(([name, list]) => {
    const type = list?.type ?? current.blocklists[name]?.type ?? "word";
    const before = current.blocklists[name]?.type ?? type;
    if (list && before !== type)
      throw new CommandError(
        "rejected",
        `Blocklist ${name} is of the type ${before}; the type of a blocklist cannot change.`,
      );
    const words = list?.words.map((word) => (type === "regex" ? word : word.toLowerCase()));
    return [name, list && { ...list, words }];
  });
  return wanted && (Object.fromEntries(normalised) as AppFile["blocklists"]);
}

/** All steps in an order that works: dependencies are created first and removed last. */
export function compareApp(
  fileContent: AppFile,
  current: Required<AppFile>,
  sets: CommandSets,
  options: CompareOptions = {},
): AppStep[] {
  const file = { ...fileContent, blocklists: normaliseBlocklists(fileContent.blocklists, current) };
  const sectionSteps = (
    section: Section,
    key: "permissions" | "commands" | "blocklists" | "push_providers",
  ): AppSteps =>
    entrySteps(
      section,
      file[key] as Record<string, Fields | null>,
      current[key] as Record<string, Fields>,
      options,
    );
  const grants = grantChanges("app", file.grants ?? {}, current.grants);
  const types = typeSteps(file, current, sets, options);
  const removedTypes = new Set(types.remove.flatMap(({ changes }) => changes.map(({ name }) => name)));
  const all: AppSteps[] = [
    sectionSteps(PERMISSIONS, "permissions"),
    roleSteps(file.roles, current, options, removedTypes),
    sectionSteps(COMMANDS, "commands"),
    sectionSteps(BLOCKLISTS, "blocklists"),
    { build: settingSteps(file.settings, current.settings, options), remove: [] },
    types,
    {
      build: grants.length === 0 ? [] : [{ changes: grants, send: grantRequest("app", file.grants!) }],
      remove: [],
    },
    sectionSteps(PUSH, "push_providers"),
  ];
  return [...all.flatMap(({ build }) => build), ...all.toReversed().flatMap(({ remove }) => remove)];
}
