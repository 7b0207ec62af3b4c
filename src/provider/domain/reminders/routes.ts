/** Routes of message reminders by the name of their endpoint row. */
import { createReminder, deleteReminder, queryReminders, updateReminder } from "./reminders.ts";

export const reminderRoutes = { createReminder, updateReminder, deleteReminder, queryReminders };
