/** Formats wire dates for tables: local time to the minute, or UTC with --utc. */
import { timeToMs } from "../../wire/time.ts";

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text) && !Number.isNaN(timeToMs(text));
}

const two = (n: number): string => String(n).padStart(2, "0");

/** `2026-11-21 09:14` */
export function localTime(text: string, utc: boolean): string {
  const at = new Date(timeToMs(text));
  return utc
    ? `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 16)}`
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clockTime(text, false)}`;
}

/** `09:14` */
export function clockTime(text: string, utc: boolean): string {
  const at = new Date(timeToMs(text));
  if (Number.isNaN(at.getTime())) return "--:--";
  return utc ? at.toISOString().slice(11, 16) : `${two(at.getHours())}:${two(at.getMinutes())}`;
}
