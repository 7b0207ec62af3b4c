/** Routes of devices, push preferences and unread numbers of many by the name of their endpoint row. */
import { unreadBatch } from "../channels/unread-summary.ts";
import { createDevice, deleteDevice, listDevices } from "./devices.ts";
import { setPushPreferences } from "./preferences.ts";

export const deviceRoutes = {
  createDevice,
  listDevices,
  deleteDevice,
  unreadBatch,
  setPushPreferences,
};
