/** Emits notification.reminder_due once for each value of remind_at (RE-5, RE-6). */
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { inaccessible } from "../../channels/view/sync.ts";
import { publishReminder } from "./events.ts";
import { remindersDueAt, markReminderSent, nextReminderAt } from "../storage/rows.ts";

/** Reminders per transaction, so that many reminders for nine o'clock do not block everything else. */
const REMINDERS_PER_STEP = 20;

export const remindersDue: DueWork = {
  name: "reminders",
  next: nextReminderAt,
  run(due: DueContext) {
    const { db } = due;
    for (const row of remindersDueAt(db, due.now(), REMINDERS_PER_STEP)) {
      markReminderSent(db, row);
      // Users who may not read the channel any more must not see its messages.
      if (inaccessible(db, row.user_id, [row.cid]).length === 0)
        publishReminder(due, "notification.reminder_due", row);
    }
  },
};
