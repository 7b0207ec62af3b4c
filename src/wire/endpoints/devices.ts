/** Endpoints of devices, push preferences and unread numbers of many. */
import type { Device, PushPreferenceInput, PushPreferences } from "../user.ts";
import type { UnreadReply } from "./channels.ts";
import { row } from "./row.ts";
import type { Acting, ActAs } from "./row.ts";

export const devicesEndpoints = {
  createDevice: row<
    object,
    object,
    Acting & {
      id: string;
      push_provider: string;
      push_provider_name?: string;
      hardware_id?: string;
      voip_token?: boolean;
    },
    object
  >("CreateDevice", "POST", "/devices", { idempotent: true }),
  listDevices: row<object, ActAs, undefined, { devices: Device[] }>("ListDevices", "GET", "/devices"),
  deleteDevice: row<object, ActAs & { id: string }, undefined, object>("DeleteDevice", "DELETE", "/devices"),
  unreadBatch: row<object, object, { user_ids: string[] }, { counts_by_user: Record<string, UnreadReply> }>(
    "UnreadCountsBatch",
    "POST",
    "/unread_batch",
    { serverOnly: true, safe: true, idempotent: true },
  ),
  setPushPreferences: row<
    object,
    object,
    { preferences: PushPreferenceInput[] },
    {
      user_preferences: Record<string, PushPreferences>;
      user_channel_preferences: Record<string, Record<string, PushPreferences>>;
    }
  >("UpdatePushNotificationPreferences", "POST", "/push_preferences", { idempotent: true }),
} as const;
