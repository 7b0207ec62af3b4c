/** Tables and columns that channels added after the first schema. */

export const channelsSchema = "";
