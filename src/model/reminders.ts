/** The state of a reminder: without a time, upcoming or overdue (R-REM-1). */
import type { Reminder } from "../wire/entities/reminder.ts";
import { timeToMs } from "../wire/time.ts";

export type ReminderKind = "bookmark" | "upcoming" | "overdue";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `now` is provider time in milliseconds; a reminder is overdue from its exact time on. */
export function reminderKind({ remind_at }: Pick<Reminder, "remind_at">, now: number): ReminderKind {
  if (!remind_at) return "bookmark";
  return timeToMs(remind_at) > now ? "upcoming" : "overdue";
}

/** RE-10: the remaining time as shown, rounded up to minutes below an hour, else to hours; ms, 0 when due. */
export function shownLeft(remindAt: string, now: number): number {
  const left = timeToMs(remindAt) - now;
  if (!(left > 0)) return 0;
  const step = left <= HOUR ? MINUTE : HOUR;
  return Math.ceil(left / step) * step;
}
