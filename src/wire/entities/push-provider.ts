/** Push services and the results of checking them (specification/admin.md §6). */
import { any, choice, flag, list, map, need, object, shape, text, time, type Infer } from "./fields.ts";

export const PUSH_PROVIDER_TYPES = ["apn", "firebase", "huawei", "xiaomi"] as const;

/** Has further fields for credentials; secrets are answered as `""`. */
export const PushProvider = shape(() => ({
  type: need(choice(...PUSH_PROVIDER_TYPES)),
  name: need(text()),
  description: text(),
  disabled_at: time(),
  disabled_reason: text(),
  created_at: need(time()),
  updated_at: need(time()),
  "*": any(),
}));
export interface PushProvider extends Infer<typeof PushProvider> {}

/** Events that push services are told of, each with its own template. */
export const PUSHED_EVENTS = [
  "message.new",
  "message.updated",
  "reaction.new",
  "notification.reminder_due",
] as const;

/** What one push provider is sent for one kind of event. */
export const PushTemplate = shape(() => ({
  event_type: need(text()),
  enable_push: need(flag()),
  push_provider_internal_id: text(),
  /** Absent or empty: the service's own. */
  template: text(),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface PushTemplate extends Infer<typeof PushTemplate> {}

export const CheckPushReply = shape(() => ({
  device_errors: need(
    map(object({ provider: need(text()), provider_name: need(text()), error_message: need(text()) })),
  ),
  general_errors: need(list(text())),
  skip_devices: need(flag()),
  rendered_apn_template: need(text()),
  rendered_firebase_template: need(text()),
  rendered_message: need(map(text())),
}));
export interface CheckPushReply extends Infer<typeof CheckPushReply> {}

export const QueueCheck = shape(() => ({
  status: need(choice("ok", "error")),
  error: need(text()),
  data: need(map(any())),
}));
export interface QueueCheck extends Infer<typeof QueueCheck> {}
