/** Reads the body of PATCH /app: checks that the field tables cannot express, and defaults for missing parts of objects (specification/admin.md §1). */
import type { AppSettings, EventHook } from "../../../../wire/entities/app.ts";
import type { UploadConfig } from "../../../../wire/entities/attachment.ts";
import { appBodies } from "../../../../wire/bodies/app.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { hookAddress } from "../../../../wire/hook-address.ts";
import type { BodyReader, Fields } from "../../validation/check.ts";

/** Checks a value and returns it as it is stored. */
type SettingRule = (check: BodyReader, key: string, value: never, call: RouteCall) => unknown;

/** `""` turns the hook off. Any http address is stored, but only addresses on this machine are called (hooks/address.ts). */
const addressRule = (check: BodyReader, key: string, value: string): string => {
  if (value && !hookAddress(value)) check.fail(key, "must be an http or https address");
  return value;
};

/** Replaces the whole rule: missing lists become empty. A type without a slash would match no file. */
const uploadRule = (check: BodyReader, key: string, value: UploadConfig): Required<UploadConfig> => {
  for (const list of ["allowed_mime_types", "blocked_mime_types"] as const) {
    const wrong = value[list]?.find((type) => !/^[^/\s]+\/[^/\s]+$/.test(type));
    if (wrong !== undefined)
      check.fail(
        `${key}.${list}`,
        `names ${wrong.slice(0, 64)}, which is not a type and subtype as in image/png`,
      );
  }
  return {
    allowed_file_extensions: value.allowed_file_extensions ?? [],
    blocked_file_extensions: value.blocked_file_extensions ?? [],
    allowed_mime_types: value.allowed_mime_types ?? [],
    blocked_mime_types: value.blocked_mime_types ?? [],
    size_limit: value.size_limit ?? 0,
  };
};

/** Replaces the whole list; a hook without an id gets one. */
const hooksRule = (check: BodyReader, key: string, hooks: EventHook[], call: RouteCall): Fields[] =>
  hooks.map(({ id, hook_type, enabled, event_types, webhook_url: url, ...rest }, i) => {
    const inner = check.within({}, `${key}.${i}`);
    if (url) addressRule(inner, "webhook_url", url);
    else if (hook_type === "webhook") inner.fail("webhook_url", "is required");
    return {
      id: id ?? call.uuid(),
      hook_type,
      enabled: enabled ?? true,
      event_types: event_types ?? [],
      ...(url ? { webhook_url: url } : {}),
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    };
  });

const SETTING_RULES: Readonly<Partial<Record<keyof AppSettings, SettingRule>>> = {
  file_upload_config: uploadRule,
  image_upload_config: uploadRule,
  // Stored as it was sent.
  revoke_tokens_issued_before: (_check: BodyReader, key: string, _value: number, call: RouteCall) =>
    call.body[key],
  webhook_url: addressRule,
  before_message_send_hook_url: addressRule,
  custom_action_handler_url: addressRule,
  event_hooks: hooksRule,
  async_moderation_config: (_check: BodyReader, key: string, _value: unknown, call: RouteCall) =>
    call.body[key],
  push_config: (_check: BodyReader, _key: string, value: { version?: string; offline_only?: boolean }) => ({
    version: value.version ?? "v2",
    offline_only: value.offline_only ?? false,
  }),
};

/** The settings that a body changes and resets, without keys that are stored elsewhere or name the acting user. */
export function readSettings(call: RouteCall, check: BodyReader): { changes: Fields; resets: string[] } {
  const {
    user_id: _id,
    user: _user,
    grants: _grants,
    migrate_permissions_to_v2: _v2,
    ...settings
  } = check.read(appBodies.updateApp) as Fields;
  const changes: Fields = {};
  const resets: string[] = [];
  for (const [key, value] of Object.entries(settings))
    if (value === null) resets.push(key);
    else if (value !== undefined) {
      const rule = Object.hasOwn(SETTING_RULES, key) ? SETTING_RULES[key as keyof AppSettings] : undefined;
      changes[key] = rule ? rule(check, key, value as never, call) : value;
    }
  return { changes, resets };
}
