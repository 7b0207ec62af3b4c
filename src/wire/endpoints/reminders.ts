/** Endpoints of message reminders. */
import type { Reminder } from "../reminder.ts";
import type { reminderBodies } from "../bodies/reminders.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ActAs, MessagePath } from "./row.ts";

const AT = "/messages/{id}/reminders";

type Body<K extends keyof typeof reminderBodies> = Infer<(typeof reminderBodies)[K]>;

export const remindersEndpoints = {
  createReminder: row<MessagePath, object, Body<"createReminder">, { reminder: Reminder }>(
    "CreateReminder",
    "POST",
    AT,
  ),
  updateReminder: row<MessagePath, object, Body<"updateReminder">, { reminder: Reminder }>(
    "UpdateReminder",
    "PATCH",
    AT,
  ),
  deleteReminder: row<MessagePath, ActAs>("DeleteReminder", "DELETE", AT),
  queryReminders: row<
    object,
    object,
    Body<"queryReminders">,
    { reminders: Reminder[]; next?: string; prev?: string }
  >("QueryReminders", "POST", "/reminders/query", { safe: true }),
} as const;
