/** Bodies of message reminders. */
import { MAX_OFFSET, REMINDERS_LIMIT } from "../constants.ts";
import { offset, orNull, time } from "../entities/fields.ts";
import { acting, listing } from "./frame.ts";

/** Without a time it is a bookmark; null turns a reminder into a bookmark. */
const reminder = { ...acting, remind_at: orNull(time()) };

export const reminderBodies = {
  createReminder: reminder,
  updateReminder: reminder,
  queryReminders: { ...listing(REMINDERS_LIMIT), offset: offset(MAX_OFFSET) },
};
