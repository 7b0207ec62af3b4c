/** Routes of message reminders by the name of their endpoint row. */
import { createReminder, deleteReminder, queryReminders, updateReminder } from "./rules/reminders.ts";

export const reminderRoutes = { createReminder, updateReminder, deleteReminder, queryReminders };
