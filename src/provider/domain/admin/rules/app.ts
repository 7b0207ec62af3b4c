/** GET and PATCH /app: the settings of the app (specification/admin.md §1). */
import type { AppSettings, EventHook, PushNotifications } from "../../../../wire/entities/app.ts";
import { blankSecrets } from "../../../../wire/secret-keys.ts";
import { timeToMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import {
  readApp,
  clientSettings,
  resetApp,
  suspensionMessage,
  writeApp,
} from "../../../store/app-settings.ts";
import { accessOf } from "../../access/storage/access.ts";
import { APP_SCOPE } from "../../access/storage/grants.ts";
import { BodyReader } from "../../validation/check.ts";
import { grantsView, readGrants } from "./grants.ts";
import { pushProviders } from "./push.ts";
import { readSettings } from "./settings.ts";
import { typeView } from "./type-routes.ts";
import { writeGrants } from "../../access/storage/rights.ts";
import { storedGrants } from "../storage/schema.ts";

export function getApp(call: RouteCall): Reply<"getApp"> {
  const { db } = call;
  if (call.caller.kind !== "server") return { app: clientSettings(readApp(db)) };
  const { apn_config, firebase_config, huawei_config, xiaomi_config, push_config, ...rest } = readApp(db);
  const access = accessOf(db);
  const service = (config: Record<string, unknown> | null): PushNotifications["apn"] => ({
    ...blankSecrets(config ?? {}),
    enabled: config !== null && config.enabled !== false && config.disabled !== true,
  });
  const push: PushNotifications = {
    ...push_config,
    apn: service(apn_config),
    firebase: service(firebase_config),
    huawei: service(huawei_config),
    xiaomi: service(xiaomi_config),
    providers: pushProviders(db),
  };
  return {
    app: {
      ...blankSecrets(rest),
      grants: grantsView(access.grantsOf(APP_SCOPE).list),
      channel_configs: Object.fromEntries([...access.types.keys()].map((name) => [name, typeView(db, name)])),
      push_notifications: push,
    },
  };
}

/** Secrets are blank in answers; a hook that is sent back with a blank secret keeps the stored one. Hooks are matched by id. */
function restoreQueueSecrets(after: EventHook[], before: EventHook[]): EventHook[] {
  const storedById = new Map(before.map((hook) => [hook.id, hook]));
  return after.map((hook) => {
    const stored = storedById.get(hook.id) as Record<string, unknown> | undefined;
    const restored = { ...hook } as EventHook & Record<string, unknown>;
    for (const key of QUEUE_SECRETS)
      if (restored[key] === "" && typeof stored?.[key] === "string") restored[key] = stored[key];
    return restored;
  });
}

/** Blank in answers. A blank value in a request keeps the stored secret, null resets it. */
const QUEUE_SECRETS = ["sqs_key", "sqs_secret", "sns_key", "sns_secret"] as const;

/** Closes connections that the new settings would refuse, with the error they would get. */
function disconnectRefused({ emit }: RouteCall, before: AppSettings, after: AppSettings): void {
  const revoked = after.revoke_tokens_issued_before;
  if (revoked !== null && revoked !== before.revoke_tokens_issued_before)
    emit.disconnect({ issuedBefore: timeToMicros(revoked) }, 40, "token was revoked");
  if (after.suspended && !before.suspended) emit.disconnect({}, 99, suspensionMessage(after));
}

/** Changes the keys in the body; null resets a key. Read-only and unknown keys are ignored. */
export function updateApp(call: RouteCall): Reply<"updateApp"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const { changes, resets } = readSettings(call, check);
  const grants = readGrants(db, check);
  const roles = changes.user_search_disallowed_roles as string[] | undefined;
  const { appRoles } = accessOf(db);
  const unknown = roles?.find((role) => !appRoles.has(role));
  if (unknown !== undefined)
    check.fail("user_search_disallowed_roles", `names ${unknown.slice(0, 80)}, which is no role of users`);
  check.done();
  const before = readApp(db);
  if (changes.event_hooks)
    changes.event_hooks = restoreQueueSecrets(changes.event_hooks as EventHook[], before.event_hooks);
  for (const key of QUEUE_SECRETS) if (changes[key] === "") delete changes[key];
  resetApp(db, resets);
  writeApp(db, changes as Partial<AppSettings>);
  disconnectRefused(call, before, readApp(db));
  if (body.grants === null) storedGrants.remove(db, { scope: APP_SCOPE });
  else if (grants) writeGrants(db, APP_SCOPE, grants);
  return {};
}
