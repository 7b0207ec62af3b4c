/** Tables and columns that polls added after the first schema. */

export const pollsSchema = "";
