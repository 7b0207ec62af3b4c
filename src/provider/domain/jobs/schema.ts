/** Tables and columns that tasks, exports and imports added after the first schema. */

export const jobsSchema = "";
