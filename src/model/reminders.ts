/** The state of a reminder: without a time, upcoming or overdue (R-REM-1). */
import type { Reminder } from "../wire/entities/reminder.ts";
import { timeToMs } from "../wire/time.ts";

export type ReminderKind = "bookmark" | "upcoming" | "overdue";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `now` is provider time in milliseconds; a reminder is overdue from its very moment on. */
export function reminderKind({ remind_at }: Pick<Reminder, "remind_at">, now: number): ReminderKind {
  if (!remind_at) return "bookmark";
  return timeToMs(remind_at) > now ? "upcoming" : "overdue";
}

/** RE-10: milliseconds left as they are shown, by the minute below an hour, else by the hour; 0 when it is due. */
export function shownLeft(remindAt: string, now: number): number {
  const left = timeToMs(remindAt) - now;
  if (!(left > 0)) return 0;
  const step = left <= HOUR ? MINUTE : HOUR;
  return Math.ceil(left / step) * step;
}
