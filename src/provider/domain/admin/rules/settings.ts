/** What PATCH /app stores: the rules of single keys that their rows cannot say, and what an object with only some of its parts means (specification/admin.md §1). */
import type { AppSettings, EventHook } from "../../../../wire/entities/app.ts";
import type { UploadConfig } from "../../../../wire/entities/attachment.ts";
import { appBodies } from "../../../../wire/bodies/app.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { hookAddress } from "../../../../wire/hook-address.ts";
import type { BodyReader, Fields } from "../../validation/check.ts";

/** The key's value as it was read, and as it is stored. */
type Store = (check: BodyReader, key: string, value: never, call: RouteCall) => unknown;

/** `""` is off. Any address is kept; only those on this machine are ever called (hooks/address.ts). */
const address = (check: BodyReader, key: string, value: string): string => {
  if (value && !hookAddress(value)) check.fail(key, "must be an http or https address");
  return value;
};

/** The whole rule is replaced: what is not said of it is empty. */
const uploads = (_check: BodyReader, _key: string, value: UploadConfig): Required<UploadConfig> => ({
  allowed_file_extensions: value.allowed_file_extensions ?? [],
  blocked_file_extensions: value.blocked_file_extensions ?? [],
  allowed_mime_types: value.allowed_mime_types ?? [],
  blocked_mime_types: value.blocked_mime_types ?? [],
  size_limit: value.size_limit ?? 0,
});

/** The list sent replaces all; a hook without an id gets one. */
const hooks = (check: BodyReader, key: string, given: EventHook[], call: RouteCall): Fields[] =>
  given.map(({ id, hook_type, enabled, event_types, webhook_url: url, ...rest }, i) => {
    const inner = check.within({}, `${key}.${i}`);
    if (url) address(inner, "webhook_url", url);
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

const RULES: Readonly<Partial<Record<keyof AppSettings, Store>>> = {
  file_upload_config: uploads,
  image_upload_config: uploads,
  // A date is stored as it was written.
  revoke_tokens_issued_before: (_check: BodyReader, key: string, _value: number, call: RouteCall) =>
    call.body[key],
  webhook_url: address,
  before_message_send_hook_url: address,
  custom_action_handler_url: address,
  event_hooks: hooks,
  async_moderation_config: (_check: BodyReader, key: string, _value: unknown, call: RouteCall) =>
    call.body[key],
  push_config: (_check: BodyReader, _key: string, value: { version?: string; offline_only?: boolean }) => ({
    version: value.version ?? "v2",
    offline_only: value.offline_only ?? false,
  }),
};

/** Settings that a body changes, and those it resets; who acts and what is stored elsewhere is none of them. */
export function readSettings(call: RouteCall, check: BodyReader): { changes: Fields; resets: string[] } {
  const {
    user_id: _id,
    user: _user,
    grants: _grants,
    migrate_permissions_to_v2: _v2,
    ...given
  } = check.read(appBodies.updateApp) as Fields;
  const changes: Fields = {};
  const resets: string[] = [];
  for (const [key, value] of Object.entries(given))
    if (value === null) resets.push(key);
    else if (value !== undefined) {
      const rule = Object.hasOwn(RULES, key) ? RULES[key as keyof AppSettings] : undefined;
      changes[key] = rule ? rule(check, key, value as never, call) : value;
    }
  return { changes, resets };
}
