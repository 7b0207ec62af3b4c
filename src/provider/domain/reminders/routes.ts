/** Routes of message reminders by the name of their endpoint row. */
export { createReminder, deleteReminder, queryReminders, updateReminder } from "./rules/reminders.ts";
