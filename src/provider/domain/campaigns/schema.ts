/** Tables and columns that campaigns and segments added after the first schema. */

export const campaignsSchema = "";
