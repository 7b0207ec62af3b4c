/** Tables and columns that message reminders added after the first schema. */

export const remindersSchema = "";
