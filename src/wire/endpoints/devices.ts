/** Endpoints of devices, push preferences and unread counts of several users. */
import type { Device, PushPreferences } from "../entities/user.ts";
import type { UnreadReply } from "./channels.ts";
import type { deviceBodies } from "../bodies/devices.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ActAs } from "./row.ts";

type Body<K extends keyof typeof deviceBodies> = Infer<(typeof deviceBodies)[K]>;

export const devicesEndpoints = withOperations({
  createDevice: row<object, Body<"createDevice">>("POST /devices", { idempotent: true }),
  listDevices: row<{ devices: Device[] }, undefined, object, ActAs>("GET /devices"),
  deleteDevice: row<object, undefined, object, ActAs & { id: string }>("DELETE /devices"),
  unreadBatch: row<{ counts_by_user: Record<string, UnreadReply> }, Body<"unreadBatch">>(
    "POST /unread_batch",
    { op: "UnreadCountsBatch", serverOnly: true, safe: true, idempotent: true },
  ),
  setPushPreferences: row<
    {
      user_preferences: Record<string, PushPreferences>;
      user_channel_preferences: Record<string, Record<string, PushPreferences>>;
    },
    Body<"setPushPreferences">
  >("POST /push_preferences", { op: "UpdatePushNotificationPreferences", idempotent: true }),
});
