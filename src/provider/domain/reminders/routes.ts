/** The handlers of message reminders, each under the name of its endpoint. */
export { createReminder, deleteReminder, queryReminders, updateReminder } from "./rules/reminders.ts";
