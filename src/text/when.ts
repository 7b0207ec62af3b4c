/** Parses times and durations as people type them: `yesterday`, `09:30`, `2h`, an ISO date or time, seconds since the epoch. */
import ms from "ms";
import { clock, dayKey, fields } from "./times.ts";
import { instantOf, zoneName, type Zone } from "./zones.ts";

/** The accepted forms of times, for error messages. */
export const TIMES =
  "2h, in 10 min, yesterday, 09:30, tomorrow 9pm, monday, 2026-12-01, 2026-12-01T09:00Z or epoch seconds";

/** The accepted forms of durations, for error messages. */
export const DURATIONS = "500ms, 30s or 2m";

const MINUTE = 60_000;
/** The form of a duration; the library defines the units. */
const DURATION = /^\d+(\.\d+)?\s*[a-z]+$/i;
/** Maximum lengths of the input, characters. */
const MAX_DURATION_LENGTH = 30;
const MAX_TIME_LENGTH = 60;

/** `2m`, `1.5h`, `500ms`, `2 days` → milliseconds; `0` → 0. Undefined for anything else, such as a number without a unit. */
export function readDuration(text: string): number | undefined {
  const typed = text.trim();
  if (typed === "0") return 0;
  if (typed.length > MAX_DURATION_LENGTH || !DURATION.test(typed)) return undefined;
  const length = ms(typed as ms.StringValue) as number | undefined;
  return length === undefined ? undefined : Math.round(length);
}

interface WhenOptions extends Zone {
  /** Milliseconds since the epoch. */
  now: number;
  /** The direction of a bare duration such as `2h`; `+2h` is always in the future. */
  direction?: "past" | "future";
}

/** Word → days after today. */
const DAYS_AFTER_TODAY: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const WEEK = 7;

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;

/** A day, a time of day, or both: `9:00`, `monday`, `tomorrow at 9 pm`. */
const DAY_AND_HOUR =
  /^(?:(?:on\s+)?(?<day>(?!at\b|noon|midnight)[a-z]+|\d{4}-\d{2}-\d{2})(?:,?\s+|$))?(?:at\s+)?(?<hour>noon|midnight|(?<h>\d{1,2})(?::(?<m>\d{2}))?\s*(?<half>[ap])\.?m\.?|(?<h24>\d{1,2}):(?<m24>\d{2}))?$/;

/** Minutes after midnight; undefined for an invalid time. */
function minutesOf({
  hour,
  h,
  m = "0",
  half,
  h24,
  m24,
}: Record<string, string | undefined>): number | undefined {
  if (hour === "noon") return 12 * 60;
  if (hour === undefined || hour === "midnight") return 0;
  const twelve = half !== undefined;
  const [hours, minutes] = twelve ? [Number(h), Number(m)] : [Number(h24), Number(m24)];
  if (minutes > 59 || (twelve ? hours < 1 || hours > 12 : hours > 23)) return undefined;
  return (twelve ? (hours % 12) + (half === "p" ? 12 : 0) : hours) * 60 + minutes;
}

const isValidDate = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

type MakeTime = (
  year: number,
  month: number,
  day: number,
  h?: number,
  m?: number,
  s?: number,
  milli?: number,
) => number;

/** Resolves a day, a time of day or both; a weekday, and a time that has passed today, is the nearest one in the given direction. */
function readDay(text: string, at: MakeTime, options: WhenOptions): number | undefined {
  const groups = DAY_AND_HOUR.exec(text.toLowerCase())?.groups;
  const minutes = groups && minutesOf(groups);
  if (!groups || minutes === undefined || (!groups.day && !groups.hour)) return undefined;
  const { now, direction = "past" } = options;
  const today = fields(now, options);
  // A day alone begins with its first instant, which need not be midnight.
  const time: [h?: number, m?: number] = groups.hour === undefined ? [] : [0, minutes];
  const after = (days: number): number => at(today.year, today.month, today.day + days, ...time);
  const { day } = groups;
  if (day === undefined) return direction === "future" && after(0) <= now ? after(1) : after(0);
  const days = DAYS_AFTER_TODAY.get(day);
  if (days !== undefined) return after(days);
  const weekday = day.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(day));
  if (weekday >= 0) {
    const ahead =
      (weekday - new Date(Date.UTC(today.year, today.month, today.day)).getUTCDay() + WEEK) % WEEK;
    if (direction === "future") return after(ahead) > now ? after(ahead) : after(ahead + WEEK);
    return after(ahead) <= now ? after(ahead) : after(ahead - WEEK);
  }
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return date && isValidDate(year, month, date) ? at(year, month - 1, date, ...time) : undefined;
}

/** `2h`, `+2h`, `in 10 min`, `an hour ago`: an offset from now. */
function readOffset(text: string, { now, direction = "past" }: WhenOptions): number | undefined {
  const sign = /^(?:[+-]|in\s)/i.exec(text)?.[0] ?? "";
  const ago = /\sago$/i.test(text);
  const lengthText = text.slice(sign.length, ago ? -4 : undefined).trim();
  const length = lengthText === "0" ? undefined : readDuration(lengthText.replace(/^an?\s/i, "1 "));
  if (length === undefined || (ago && sign !== "")) return undefined;
  const ahead = sign === "" ? direction === "future" && !ago : sign !== "-";
  const moment = now + (ahead ? length : -length);
  return Math.abs(moment) <= 8.64e15 ? moment : undefined;
}

/** `2026-12-01T09:00Z` and its shorter forms. */
function readDate(text: string, at: MakeTime): number | undefined {
  const m = DATE.exec(text);
  if (!m) return undefined;
  const [year, month, day, h, min, s] = [m[1], m[2], m[3], m[4] ?? 0, m[5] ?? 0, m[6] ?? 0].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (!isValidDate(year, month, day) || h > 23 || min > 59 || s > 59) return undefined;
  const milli = Number((m[7] ?? "").padEnd(3, "0").slice(0, 3));
  if (m[8]) return Date.UTC(year, month - 1, day, h, min, s, milli);
  if (!m[9]) return m[4] ? at(year, month - 1, day, h, min, s, milli) : at(year, month - 1, day);
  const offset = (m[9] === "-" ? -1 : 1) * (Number(m[10]) * 60 + Number(m[11])) * MINUTE;
  return Date.UTC(year, month - 1, day, h, min, s, milli) - offset;
}

/** A time of day that does not exist, because the clocks are set forward past it. */
export class GapError extends RangeError {
  /** The two times that may be meant. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

function gapError(typed: string, gap: number, zone: Zone): GapError {
  const [before, after] = [gap - MINUTE, gap].map((at) => clock(at, zone));
  return new GapError(
    `'${typed}' does not exist in ${zoneName(zone)}: on ${dayKey(gap, zone)} the clocks go from ${before} to ${after}`,
    `Write ${before} or ${after}.`,
  );
}

/**
 * The instant (milliseconds since the epoch) of a time as typed: `now`, `today`, `tomorrow`, `2h`, `+30m`, `in 10 min`, `2 days ago`, `2026-12-01`,
 * `2026-12-01T09:00:00Z`, `09:30` and `9pm` (today, or tomorrow if the direction is `future` and the time has passed), `monday`, `tomorrow at 9:00`,
 * ten or thirteen digits since the epoch. Dates without a zone are in the zone of the options, by default the machine's. A time that comes twice, because
 * clocks are set back, is the first. A bare short number is refused, because its unit is unclear. Throws RangeError with the accepted forms for anything
 * else, including 31 February, and GapError for a time that clocks skip.
 */
export function parseWhen(text: string, options: WhenOptions): number {
  const typed = text.trim();
  const error = new RangeError(`'${typed.slice(0, MAX_TIME_LENGTH)}' is not a time: use ${TIMES}`);
  if (typed.length > MAX_TIME_LENGTH) throw error;
  const gaps = new Map<number, number>();
  const at: MakeTime = (year, month, day, h, m = 0, second = 0, milli = 0) => {
    const instant = instantOf(Date.UTC(year, month, day, h ?? 0, m, second, milli), options);
    if (instant.gap !== undefined && h !== undefined) gaps.set(instant.at, instant.gap);
    return instant.at;
  };
  if (typed.toLowerCase() === "now") return options.now;
  if (/^\d{10}$/.test(typed)) return Number(typed) * 1000;
  if (/^\d{13}$/.test(typed)) return Number(typed);
  const moment = readDate(typed, at) ?? readDay(typed, at, options) ?? readOffset(typed, options);
  if (moment === undefined) throw error;
  const gap = gaps.get(moment);
  if (gap !== undefined) throw gapError(typed, gap, options);
  return moment;
}
