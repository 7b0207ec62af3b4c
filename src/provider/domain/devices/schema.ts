/** Tables and columns that devices and push preferences added after the first schema. */

export const devicesSchema = "";
