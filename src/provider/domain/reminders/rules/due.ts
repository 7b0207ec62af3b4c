/** Emits notification.reminder_due once for each value of remind_at (RE-5, RE-6). */
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { inaccessible } from "../../channels/view/sync.ts";
import { publishReminder } from "./events.ts";
import { reminders } from "../storage/reminders.ts";

/** Reminders per transaction, so that many reminders for nine o'clock do not block everything else. */
const REMINDERS_PER_STEP = 20;

export const remindersDue: DueWork = {
  name: "reminders",
  next: (db) => reminders.min(db, "remind_at", { told: 0, remind_at: { not: null } }),
  run(due: DueContext) {
    const { db } = due;
    const isDue = { told: 0, remind_at: { upTo: due.now() } };
    for (const row of reminders.list(db, isDue, { by: ["remind_at"], limit: REMINDERS_PER_STEP })) {
      reminders.update(db, row, { told: 1 });
      // Users who may not read the channel any more must not see its messages.
      if (inaccessible(db, row.user_id, [row.cid]).length === 0)
        publishReminder(due, "notification.reminder_due", row);
    }
  },
};
