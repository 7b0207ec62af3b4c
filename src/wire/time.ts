/** Dates of the wire: RFC 3339 texts compared in a nine-digit UTC form, never by milliseconds (specification/wire.md §7). */

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/;

/** Of an answer's many dates each is only looked at: parsing takes longer. */
const LOOKS_LIKE_DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-6]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)$/;

export const isTime = (value: unknown): value is string =>
  typeof value === "string" && LOOKS_LIKE_DATE.test(value);

/** Parsed dates are cached, since each is needed several times in a row and parsing is expensive. */
const CACHE_SIZE = 512;
const cache = new Map<string, string>();

/**
 * The normal form `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`: two instants compare as these texts do.
 * Accepts any offset and fractions of 1–9 digits; undefined for an invalid date.
 */
export function normalTime(text: string): string | undefined {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const normal = parse(text);
  if (normal !== undefined) {
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(text, normal);
  }
  return normal;
}

/** Days of a month, from 1 on. */
const daysIn = (year: number, month: number): number =>
  month !== 2
    ? 30 + ((month + (month >> 3)) & 1)
    : year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28;

function parse(text: string): string | undefined {
  const m = DATE.exec(text);
  if (!m) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", zulu, sign, oh = "0", om = "0"] = m;
  const leap = second === "60" && minute === "59";
  if (+month! < 1 || +month! > 12 || +day! < 1 || +day! > daysIn(+year!, +month!)) return undefined;
  if (+hour! > 23 || +minute! > 59 || (+second! > 59 && !leap) || +oh > 23 || +om > 59) return undefined;
  const nanos = fraction.padEnd(9, "0");
  if (zulu && !leap) return `${year}-${month}-${day}T${hour}:${minute}:${second}.${nanos}Z`;
  const offset = (sign === "-" ? -1 : 1) * (+oh * 60 + +om) * 60_000;
  const base = new Date(0);
  base.setUTCFullYear(+year!, +month! - 1, +day!);
  base.setUTCHours(+hour!, +minute!, +second!, 0);
  const shifted = new Date(base.getTime() - offset);
  if (shifted.getUTCFullYear() < 0) return "0000-01-01T00:00:00.000000000Z";
  if (shifted.getUTCFullYear() > 9999) return "9999-12-31T23:59:59.999999999Z";
  return `${shifted.toISOString().slice(0, 19)}.${nanos}Z`;
}

/** Milliseconds since the epoch of a wire date, NaN if invalid. For display and expiry, never for ordering. */
export function timeToMs(text: string): number {
  const normal = normalTime(text);
  return normal === undefined ? Number.NaN : Date.parse(`${normal.slice(0, 23)}Z`);
}

/** `-1 | 0 | 1`; an unreadable or absent date is older than every date. */
export function compareTimes(a: string | null | undefined, b: string | null | undefined): number {
  if (a === b) return 0;
  const x = (a && normalTime(a)) || "";
  const y = (b && normalTime(b)) || "";
  return x < y ? -1 : x > y ? 1 : 0;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const DAY = 86_400;
let lastDay = Number.NaN;
let lastDate = "";

/** A wire date from whole microseconds since the epoch: `2026-03-04T05:06:07.089012Z`. Fast, because a provider writes thousands per call. */
export function timeFromMicros(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const day = Math.floor(seconds / DAY);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY * 1000).toISOString().slice(0, -13);
    lastDay = day;
  }
  const secondsOfDay = seconds - day * DAY;
  const fraction = String(micros - seconds * 1_000_000).padStart(6, "0");
  return `${lastDate}${TWO_DIGITS[Math.floor(secondsOfDay / 3600)]!}:${TWO_DIGITS[Math.floor(secondsOfDay / 60) % 60]!}:${TWO_DIGITS[secondsOfDay % 60]!}.${fraction}Z`;
}

const FIRST = Date.UTC(1700, 0) * 1000;
const LAST = Date.UTC(2250, 0) * 1000;

/** Clamps a moment to the range that a number counts exactly in microseconds; the year 9999, for "never", is outside. */
export const clampTime = (micros: number): number => Math.min(Math.max(micros, FIRST), LAST);

/** Whole microseconds since the epoch of a wire date (rounded down), NaN if invalid. */
export function timeToMicros(text: string): number {
  const normal = normalTime(text);
  return normal === undefined
    ? Number.NaN
    : clampTime(Date.parse(`${normal.slice(0, 23)}Z`) * 1000 + Number(normal.slice(23, 26)));
}

export const maybeTime = (micros: number | null): string | undefined =>
  micros === null ? undefined : timeFromMicros(micros);

/** The time of seconds since 1970, as tokens and rate limits give them; undefined for a number that no calendar reaches. */
export function timeFromSeconds(seconds: number): string | undefined {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export const EPOCH = "1970-01-01T00:00:00Z";
