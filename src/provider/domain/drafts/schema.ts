/** Tables and columns that drafts added after the first schema. */

export const draftsSchema = "";
