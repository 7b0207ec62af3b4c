/** Parses times and durations as people type them: `yesterday`, `09:30`, `2h`, an ISO date or time, seconds since the epoch. */
import ms from "ms";
import { fields } from "./times.ts";
import type { Zone } from "./times.ts";

/** What may be written, for the sentences that refuse something else. */
export const TIMES =
  "2h, 7d, yesterday, 09:30, tomorrow 9:00, 2026-12-01, 2026-12-01T09:00Z or epoch seconds";

/** The same for durations. */
export const DURATIONS = "500ms, 30s or 2m";

const MINUTE = 60_000;
/** What a length looks like; the units are those of the library. */
const LENGTH = /^\d+(\.\d+)?\s*[a-z]+$/i;
/** Characters. */
const LONGEST_LENGTH = 30;

/** `2m`, `1.5h`, `500ms`, `2 days` → milliseconds; `0` is none. Undefined for anything else: a bare number has no unit. */
export function readDuration(text: string): number | undefined {
  const typed = text.trim();
  if (typed === "0") return 0;
  if (typed.length > LONGEST_LENGTH || !LENGTH.test(typed)) return undefined;
  const length = ms(typed as ms.StringValue) as number | undefined;
  return length === undefined ? undefined : Math.round(length);
}

interface WhenOptions extends Zone {
  /** Milliseconds since the epoch. */
  now: number;
  /** Which way a bare length like `2h` points; `+2h` always points ahead. */
  direction?: "past" | "future";
}

/** A word for a day → how many days it is after today. */
const DAYS_AFTER_TODAY: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;

/**
 * The instant (milliseconds since the epoch) of a time as typed: `now`, `today`, `yesterday`, `tomorrow`, `2h`, `+30m`, `7d`,
 * `2026-12-01`, `2026-12-01T09:00`, `2026-12-01T09:00:00Z`, `09:30` (today), `tomorrow 9:00`, ten or thirteen digits since the epoch.
 * Dates without a zone are local, or UTC with `utc`. A bare number is refused: nobody means milliseconds.
 * Throws RangeError, a sentence with the forms, for anything else (31 February included).
 */
export function parseWhen(text: string, options: WhenOptions): number {
  const typed = text.trim();
  const { now, direction = "past", utc } = options;
  const at = (year: number, month: number, day: number, h = 0, m = 0, s = 0, milli = 0): number =>
    utc ? Date.UTC(year, month, day, h, m, s, milli) : new Date(year, month, day, h, m, s, milli).getTime();
  const today = fields(now, options);
  const word = typed.toLowerCase();
  if (word === "now") return now;
  const days = DAYS_AFTER_TODAY.get(word);
  if (days !== undefined) return at(today.year, today.month, today.day + days);
  if (/^\d{10}$/.test(typed)) return Number(typed) * 1000;
  if (/^\d{13}$/.test(typed)) return Number(typed);
  const hours = /^(?:([a-z]+)\s+)?(\d{1,2}):(\d{2})$/.exec(word);
  const away = DAYS_AFTER_TODAY.get(hours?.[1] ?? "today");
  if (hours && away !== undefined && +hours[2]! < 24 && +hours[3]! < 60)
    return at(today.year, today.month, today.day + away, +hours[2]!, +hours[3]!);
  const length = /^[+-]?0$/.test(typed) ? undefined : readDuration(typed.replace(/^[+-]/, ""));
  if (length !== undefined) {
    const back = typed.startsWith("-") || (direction === "past" && !typed.startsWith("+"));
    const found = now + (back ? -length : length);
    if (Math.abs(found) <= 8.64e15) return found;
  }
  const m = DATE.exec(typed);
  if (m) {
    const [year, month, day, h, min, s] = [m[1], m[2], m[3], m[4] ?? 0, m[5] ?? 0, m[6] ?? 0].map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const milli = Number((m[7] ?? "").padEnd(3, "0").slice(0, 3));
    const real = new Date(Date.UTC(year, month - 1, day));
    const valid =
      real.getUTCMonth() === month - 1 && real.getUTCDate() === day && h < 24 && min < 60 && s < 60;
    if (valid && m[8]) return Date.UTC(year, month - 1, day, h, min, s, milli);
    if (valid && m[9]) {
      const offset = (m[9] === "-" ? -1 : 1) * (Number(m[10]) * 60 + Number(m[11])) * MINUTE;
      return Date.UTC(year, month - 1, day, h, min, s, milli) - offset;
    }
    if (valid) return at(year, month - 1, day, h, min, s, milli);
  }
  throw new RangeError(`'${typed.slice(0, 60)}' is not a time: use ${TIMES}`);
}
