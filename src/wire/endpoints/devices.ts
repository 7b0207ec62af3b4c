/** Endpoints of devices, push preferences and unread counts of several users. */
import { UnreadReply } from "./channels.ts";
import { entity, id, list, map, need, object } from "../entities/fields.ts";
import { actAs, row, withOperations } from "./row.ts";

export const devicesEndpoints = withOperations({
  createDevice: row("POST /devices", { idempotent: true }),
  listDevices: row("GET /devices", {
    query: actAs,
    answer: () => ({ devices: need(list(entity("Device"))) }),
  }),
  deleteDevice: row("DELETE /devices", { query: { ...actAs, id: need(id()) } }),
  unreadBatch: row("POST /unread_batch", {
    op: "UnreadCountsBatch",
    serverOnly: true,
    safe: true,
    idempotent: true,
    answer: () => ({ counts_by_user: need(map(object(UnreadReply()))) }),
  }),
  setPushPreferences: row("POST /push_preferences", {
    source: "v2",
    op: "UpdatePushNotificationPreferences",
    idempotent: true,
    answer: () => ({
      user_preferences: need(map(entity("PushPreferences"))),
      user_channel_preferences: need(map(map(entity("PushPreferences")))),
    }),
  }),
});
