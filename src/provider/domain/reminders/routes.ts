/** Routes of message reminders by the name of their endpoint row. */
import type { Handlers } from "../../base/handler.ts";
import { createReminder, deleteReminder, queryReminders, updateReminder } from "./reminders.ts";

export const reminderRoutes: Handlers = { createReminder, updateReminder, deleteReminder, queryReminders };
