/** Endpoints of message reminders. */
import { entity, list, need } from "../entities/fields.ts";
import { actAs, cursors, row, withOperations } from "./row.ts";

export const remindersEndpoints = withOperations({
  createReminder: row("POST /messages/{id}/reminders", {
    answer: () => ({ reminder: need(entity("Reminder")) }),
  }),
  updateReminder: row("PATCH /messages/{id}/reminders", {
    answer: () => ({ reminder: need(entity("Reminder")) }),
  }),
  deleteReminder: row("DELETE /messages/{id}/reminders", { query: actAs }),
  queryReminders: row("POST /reminders/query", {
    safe: true,
    answer: () => ({ reminders: need(list(entity("Reminder"))), ...cursors }),
  }),
});
