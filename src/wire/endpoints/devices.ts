/** Endpoints of devices, push preferences and unread numbers of many. */

export const devicesEndpoints = {} as const;
