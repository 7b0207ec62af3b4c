/** Tables and columns that messages added after the first schema. */

export const messagesSchema = "";
