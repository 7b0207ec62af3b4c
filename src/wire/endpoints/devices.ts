/** Endpoints of devices, push preferences and unread numbers of many. */
import type { Device, PushPreferences } from "../user.ts";
import type { UnreadReply } from "./channels.ts";
import type { deviceBodies } from "../bodies/devices.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ActAs } from "./row.ts";

type Body<K extends keyof typeof deviceBodies> = Infer<(typeof deviceBodies)[K]>;

export const devicesEndpoints = {
  createDevice: row<object, object, Body<"createDevice">, object>("CreateDevice", "POST", "/devices", {
    idempotent: true,
  }),
  listDevices: row<object, ActAs, undefined, { devices: Device[] }>("ListDevices", "GET", "/devices"),
  deleteDevice: row<object, ActAs & { id: string }, undefined, object>("DeleteDevice", "DELETE", "/devices"),
  unreadBatch: row<object, object, Body<"unreadBatch">, { counts_by_user: Record<string, UnreadReply> }>(
    "UnreadCountsBatch",
    "POST",
    "/unread_batch",
    { serverOnly: true, safe: true, idempotent: true },
  ),
  setPushPreferences: row<
    object,
    object,
    Body<"setPushPreferences">,
    {
      user_preferences: Record<string, PushPreferences>;
      user_channel_preferences: Record<string, Record<string, PushPreferences>>;
    }
  >("UpdatePushNotificationPreferences", "POST", "/push_preferences", { idempotent: true }),
} as const;
