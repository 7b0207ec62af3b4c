/** Tables and columns that users added after the first schema. */

export const usersSchema = "";
