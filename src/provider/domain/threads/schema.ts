/** Tables and columns that threads added after the first schema. */

export const threadsSchema = "";
