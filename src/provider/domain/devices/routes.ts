/** Routes of devices, push preferences and unread numbers of many by the name of their endpoint row. */
import { unreadBatch } from "../reads/rules/unread-summary.ts";
import { createDevice, deleteDevice, listDevices } from "./rules/devices.ts";
import { setPushPreferences } from "./rules/preferences.ts";

export const deviceRoutes = {
  createDevice,
  listDevices,
  deleteDevice,
  unreadBatch,
  setPushPreferences,
};
