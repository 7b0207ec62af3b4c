/** Chooses the addresses that get an event: the enabled hooks of the app, and the one address of older settings (specification/admin.md §12). */
import type { AppSettings } from "../../wire/entities/app.ts";
import { isOnThisMachine } from "./address.ts";

interface HookFilter {
  /** Id of the hook; the hook of old has none of its own. */
  hook: string;
  url: string;
  /** Time for the answer, milliseconds. */
  timeout: number;
}

/** Without a `timeout_ms` of its own a hook has this long to answer, milliseconds. */
const ANSWER = 6000;
const LEGACY = "webhook_url";

/** Of what the people of a channel hear: its custom events and typing reach no hook (specification/events.md §4). */
export const isHookable = (type: string): boolean => type.includes(".") && !type.startsWith("typing.");

/** The hooks that get this type of event. `outside` hears of an address that would be called if it were on this machine. */
export function hooksFor(app: AppSettings, type: string, outside: (url: string) => void): HookFilter[] {
  const wants = (types: readonly string[]): boolean => types.length === 0 || types.includes(type);
  const found: HookFilter[] = app.event_hooks
    .filter((hook) => hook.enabled && hook.hook_type === "webhook" && wants(hook.event_types))
    .map((hook) => ({ hook: hook.id!, url: hook.webhook_url ?? "", timeout: hook.timeout_ms ?? ANSWER }));
  if (app.webhook_url && wants(app.webhook_events))
    found.push({ hook: LEGACY, url: app.webhook_url, timeout: ANSWER });
  return found.filter(({ url }) => {
    const here = isOnThisMachine(url);
    if (!here && url !== "") outside(url);
    return here;
  });
}
