/** Tables and columns that app settings, channel types, roles and lists added after the first schema. */

export const adminSchema = "";
