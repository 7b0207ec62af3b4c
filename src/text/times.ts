/** Formats instants and durations for people; the clock is always an argument. */
import { offsetAt, type Zone } from "./zones.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Fields {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
}

/** The date and time of an instant in a zone; `month` counts from 0. */
export function fields(at: number, zone: Zone): Fields {
  const inOther = zone.utc === true || zone.name !== undefined;
  const d = new Date(inOther ? at + offsetAt(at, zone) : at);
  return inOther
    ? {
        year: d.getUTCFullYear(),
        month: d.getUTCMonth(),
        day: d.getUTCDate(),
        weekday: d.getUTCDay(),
        hour: d.getUTCHours(),
        minute: d.getUTCMinutes(),
        second: d.getUTCSeconds(),
      }
    : {
        year: d.getFullYear(),
        month: d.getMonth(),
        day: d.getDate(),
        weekday: d.getDay(),
        hour: d.getHours(),
        minute: d.getMinutes(),
        second: d.getSeconds(),
      };
}

export interface TimeStyle {
  /** `9:14 AM` instead of `09:14`. */
  twelveHour: boolean;
  order: "dmy" | "mdy" | "ymd";
}

let style: TimeStyle = { twelveHour: false, order: "dmy" };

/** Sets the time style for the whole program, once at its start. */
export function setTimeStyle(newStyle: TimeStyle): void {
  style = newStyle;
}

/** The maximum width of a time of day, cells. */
export const clockCells = (): number => (style.twelveHour ? "12:59 PM" : "23:59").length;

const pad2 = (n: number): string => (n < 10 ? `0${n}` : String(n));

/** `Tue 17 Nov`, `Nov 17`, `2026-11-17`: without the weekday or the year where those are empty. */
function dateWords({ year, month, day }: Fields, weekday: string, yearText: string): string {
  const date =
    style.order === "ymd"
      ? `${year}-${pad2(month + 1)}-${pad2(day)}`
      : style.order === "mdy"
        ? `${MONTHS[month]} ${day}${yearText && `, ${yearText}`}`
        : `${day} ${MONTHS[month]}${yearText && ` ${yearText}`}`;
  return weekday ? `${weekday} ${date}` : date;
}

/** `09:14`, or `9:14 AM`; `--:--` for NaN. */
export const clock = (at: number, zone: Zone = {}): string =>
  Number.isNaN(at) ? "--:--" : timeOfDay(fields(at, zone), "");

/** `09:14:05`, or `9:14:05 AM`. */
export function clockToSecond(at: number, zone: Zone = {}): string {
  const f = fields(at, zone);
  return Number.isNaN(at) ? "--:--:--" : timeOfDay(f, `:${pad2(f.second)}`);
}

function timeOfDay({ hour, minute }: Fields, seconds: string): string {
  if (style.twelveHour) return `${hour % 12 || 12}:${pad2(minute)}${seconds} ${hour < 12 ? "AM" : "PM"}`;
  return `${pad2(hour)}:${pad2(minute)}${seconds}`;
}

/** `2026-11-17`; equal for instants of the same day; "" for NaN. */
export function dayKey(at: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "";
  const f = fields(at, zone);
  return `${f.year}-${pad2(f.month + 1)}-${pad2(f.day)}`;
}

/** `Tue 17 Nov`, with the year if it is not the current one. Not relative, so that it stays true after midnight. */
export function dayLabel(at: number, now: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "no date";
  const f = fields(at, zone);
  return dateWords(f, DAYS[f.weekday]!, f.year === fields(now, zone).year ? "" : String(f.year));
}

/** `17 Nov 2026 09:14`, always complete. */
export function wholeDate(at: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "no date";
  const f = fields(at, zone);
  return `${dateWords(f, "", String(f.year))} ${clock(at, zone)}`;
}

/** `2026-11-17 09:14:05`, for tables. */
export function stamp(at: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "no date";
  const f = fields(at, zone);
  return `${dayKey(at, zone)} ${pad2(f.hour)}:${pad2(f.minute)}:${pad2(f.second)}`;
}

/** The shortest form: `09:14` today, `Mon 09:14` within six days, `17 Nov`, `17 Nov 2025`. */
export function shortWhen(at: number, now: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "";
  const f = fields(at, zone);
  if (dayKey(at, zone) === dayKey(now, zone)) return clock(at, zone);
  if (Math.abs(now - at) < 6 * DAY) return `${DAYS[f.weekday]} ${clock(at, zone)}`;
  return dateWords(f, "", f.year === fields(now, zone).year ? "" : String(f.year));
}

/** A short form that always has the time of day: `09:14`, `Mon 09:14`, `17 Nov 09:14`. */
export function momentWords(at: number, now: number, zone: Zone = {}): string {
  const when = shortWhen(at, now, zone);
  const time = Number.isNaN(at) ? "" : clock(at, zone);
  return when.endsWith(time) ? when : `${when} ${time}`;
}

/** A duration in at most two units: `45 s`, `2 min`, `1 h 5 min`, `3 d 2 h`. Negative lengths read as `0 s`. */
export function duration(length: number): string {
  const total = Math.max(0, Math.round(length / SECOND)) * SECOND;
  if (total < MINUTE) return `${total / SECOND} s`;
  if (total < HOUR) {
    const seconds = (total % MINUTE) / SECOND;
    return total < 10 * MINUTE && seconds
      ? `${Math.floor(total / MINUTE)} min ${seconds} s`
      : `${Math.floor(total / MINUTE)} min`;
  }
  const [big, unit, small, name] =
    total < DAY ? ([HOUR, "h", MINUTE, "min"] as const) : ([DAY, "d", HOUR, "h"] as const);
  const rest = Math.floor((total % big) / small);
  return `${Math.floor(total / big)} ${unit}${rest ? ` ${rest} ${name}` : ""}`;
}

/** The remaining time of a countdown: `3:07` or `1:02:09`. */
export function countdown(length: number): string {
  const total = Math.max(0, Math.ceil(length / SECOND));
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return h ? `${h}:${pad2(m)}:${pad2(s)}` : `${m}:${pad2(s)}`;
}

/** What has passed, as minutes and seconds: `0:00` at first. */
export const elapsed = (ms: number): string => (ms < 1000 ? "0:00" : countdown(ms));
