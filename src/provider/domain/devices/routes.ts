/** Routes of devices, push preferences and unread numbers of many by the name of their endpoint row. */
export { unreadBatch } from "../reads/rules/unread-summary.ts";
export { createDevice, deleteDevice, listDevices } from "./rules/devices.ts";
export { setPushPreferences } from "./rules/preferences.ts";
