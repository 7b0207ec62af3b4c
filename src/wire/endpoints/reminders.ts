/** Endpoints of message reminders. */
import type { Reminder } from "../reminder.ts";
import type { ListBody } from "./drafts.ts";
import { row } from "./row.ts";
import type { ActAs, Acting, MessagePath } from "./row.ts";

const AT = "/messages/{id}/reminders";

export const remindersEndpoints = {
  createReminder: row<MessagePath, object, Acting & { remind_at?: string | null }, { reminder: Reminder }>(
    "CreateReminder",
    "POST",
    AT,
  ),
  updateReminder: row<MessagePath, object, Acting & { remind_at?: string | null }, { reminder: Reminder }>(
    "UpdateReminder",
    "PATCH",
    AT,
  ),
  deleteReminder: row<MessagePath, ActAs>("DeleteReminder", "DELETE", AT),
  queryReminders: row<
    object,
    object,
    ListBody & { offset?: number },
    { reminders: Reminder[]; next?: string; prev?: string }
  >("QueryReminders", "POST", "/reminders/query", { safe: true }),
} as const;
