/** Reminders becoming due: notification.reminder_due once for each value of remind_at (RE-5, RE-6). */
import type { Due, DueWork } from "../../../base/ports.ts";
import { inaccessible } from "../../channels/view/sync.ts";
import type { ReminderRow } from "../storage/rows.ts";
import { publishReminder } from "./events.ts";

/** Told in one transaction: reminders for nine o'clock must not hold up everything else. */
const A_STEP = 20;

export const remindersDue: DueWork = {
  name: "reminders",
  next: (db) =>
    db.get<{ at: number | null }>(
      "SELECT min(remind_at) AS at FROM reminders WHERE told = 0 AND remind_at IS NOT NULL",
    )?.at ?? undefined,
  run(due: Due) {
    const { db } = due;
    const rows = db.all<ReminderRow>(
      `SELECT * FROM reminders WHERE told = 0 AND remind_at IS NOT NULL AND remind_at <= ?
       ORDER BY remind_at LIMIT ?`,
      due.now(),
      A_STEP,
    );
    for (const row of rows) {
      db.run(
        "UPDATE reminders SET told = 1 WHERE user_id = ? AND message_id = ?",
        row.user_id,
        row.message_id,
      );
      // who may not read the channel any more is not told what is said there
      if (inaccessible(db, row.user_id, [row.cid]).length === 0)
        publishReminder(due, "notification.reminder_due", row);
    }
  },
};
