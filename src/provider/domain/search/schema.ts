/** Tables and columns that the full-text index added after the first schema. */

export const searchSchema = "";
