/** The hooks of an app, also those of the older settings: where each sends, and which events it gets (specification/admin.md §12). */
import type { AppSettings, EventHook } from "../../wire/entities/app.ts";

export interface Hook {
  kind: EventHook["hook_type"] | "before_send" | "custom_command";
  /** The address, queue or topic. */
  target: string;
  enabled: boolean;
  /** Empty: every event; absent: called for no event. */
  events?: readonly string[];
  /** The setting that holds it. */
  setting: string;
}

const ofList = (hook: EventHook): Hook => ({
  kind: hook.hook_type,
  target: hook.webhook_url ?? hook.sqs_queue_url ?? hook.sns_topic_arn ?? hook.callback?.mode ?? "",
  enabled: hook.enabled,
  events: hook.event_types,
  setting: "event_hooks",
});

/** In the order in which they are set: the list, then the older settings that are not empty. */
export function hooksOf(app: Partial<AppSettings>): Hook[] {
  const events = app.webhook_events ?? [];
  const older: Hook[] = [
    { kind: "webhook", target: app.webhook_url ?? "", enabled: true, events, setting: "webhook_url" },
    { kind: "sqs", target: app.sqs_url ?? "", enabled: true, events: [], setting: "sqs_url" },
    { kind: "sns", target: app.sns_topic_arn ?? "", enabled: true, events: [], setting: "sns_topic_arn" },
    ...(["before_message_send_hook_url", "custom_action_handler_url"] as const).map((setting): Hook => ({
      kind: setting === "custom_action_handler_url" ? "custom_command" : "before_send",
      target: app[setting] ?? "",
      enabled: true,
      setting,
    })),
  ];
  return [...(app.event_hooks ?? []).map(ofList), ...older.filter(({ target }) => target !== "")];
}

/** Whether an enabled hook gets events of this type. */
export const gets = ({ enabled, events }: Hook, type: string): boolean =>
  enabled && events !== undefined && (events.length === 0 || events.includes(type));
