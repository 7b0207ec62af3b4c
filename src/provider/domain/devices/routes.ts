/** The handlers of devices, push preferences and unread numbers of many, each under the name of its endpoint. */
export { unreadBatch } from "../reads/rules/unread-summary.ts";
export { createDevice, deleteDevice, listDevices } from "./rules/devices.ts";
export { setPushPreferences } from "./rules/preferences.ts";
