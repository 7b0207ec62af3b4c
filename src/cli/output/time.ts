/** Formats wire dates for tables: local time to the minute, or UTC with --utc. */
import { stamp } from "../../text/times.ts";
import { timeToMs } from "../../wire/time.ts";

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text) && !Number.isNaN(timeToMs(text));
}

/** `2026-11-21 09:14` */
export const localTime = (text: string, utc: boolean): string => stamp(timeToMs(text), { utc }).slice(0, 16);

/** `09:14` */
export const clockTime = (text: string, utc: boolean): string =>
  Number.isNaN(timeToMs(text)) ? "--:--" : localTime(text, utc).slice(11);
