/** Endpoints of message reminders. */
import type { Reminder } from "../entities/reminder.ts";
import type { reminderBodies } from "../bodies/reminders.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ActAs, type MessagePath } from "./row.ts";

type Body<K extends keyof typeof reminderBodies> = Infer<(typeof reminderBodies)[K]>;

export const remindersEndpoints = withOperations({
  createReminder: row<{ reminder: Reminder }, Body<"createReminder">, MessagePath>(
    "POST /messages/{id}/reminders",
  ),
  updateReminder: row<{ reminder: Reminder }, Body<"updateReminder">, MessagePath>(
    "PATCH /messages/{id}/reminders",
  ),
  deleteReminder: row<object, undefined, MessagePath, ActAs>("DELETE /messages/{id}/reminders"),
  queryReminders: row<{ reminders: Reminder[]; next?: string; prev?: string }, Body<"queryReminders">>(
    "POST /reminders/query",
    { safe: true },
  ),
});
