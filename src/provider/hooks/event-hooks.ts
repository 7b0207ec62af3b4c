/** Chooses the hooks that get an event: the app's enabled hooks and the older `webhook_url` setting (specification/admin.md §12). */
import type { AppSettings } from "../../wire/entities/app.ts";
import { isOnThisMachine } from "./address.ts";

interface HookTarget {
  url: string;
  /** Milliseconds. */
  timeout: number;
}

/** Time for the answer of a hook without `timeout_ms`, milliseconds. */
const DEFAULT_TIMEOUT = 6000;

/** Whether hooks get this type of event: not custom events and typing (specification/events.md §4). */
export const isHookable = (type: string): boolean => type.includes(".") && !type.startsWith("typing.");

/** The hooks that get this type of event. `onRemoteUrl` is called with matching addresses that are not on this machine. */
export function hooksFor(app: AppSettings, type: string, onRemoteUrl: (url: string) => void): HookTarget[] {
  const subscribes = (types: readonly string[]): boolean => types.length === 0 || types.includes(type);
  const found: HookTarget[] = app.event_hooks
    .filter((hook) => hook.enabled && hook.hook_type === "webhook" && subscribes(hook.event_types))
    .map((hook) => ({
      url: hook.webhook_url ?? "",
      timeout: hook.timeout_ms ?? DEFAULT_TIMEOUT,
    }));
  if (app.webhook_url && subscribes(app.webhook_events))
    found.push({ url: app.webhook_url, timeout: DEFAULT_TIMEOUT });
  return found.filter(({ url }) => {
    const local = isOnThisMachine(url);
    if (!local && url !== "") onRemoteUrl(url);
    return local;
  });
}
