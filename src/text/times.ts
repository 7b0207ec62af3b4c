/** Instants and durations in words for people, and the times people type; the clock is always an argument. */
import ms from "ms";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Zone {
  /** UTC instead of the machine's own zone (`--utc`). */
  utc?: boolean;
}

interface Fields {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
}

function fields(at: number, zone: Zone): Fields {
  const d = new Date(at);
  return zone.utc
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

const two = (n: number): string => (n < 10 ? `0${n}` : String(n));

/** `09:14`; `--:--` for what is no instant. */
export function clock(at: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "--:--";
  const f = fields(at, zone);
  return `${two(f.hour)}:${two(f.minute)}`;
}

/** `2026-11-17`: two instants lie on one day when these are equal; "" for what is no instant. */
export function dayKey(at: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "";
  const f = fields(at, zone);
  return `${f.year}-${two(f.month + 1)}-${two(f.day)}`;
}

/** `Tue 17 Nov`, with the year when it is not this one. Absolute, so that it stays true past midnight. */
export function dayLabel(at: number, now: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "no date";
  const f = fields(at, zone);
  const year = f.year === fields(now, zone).year ? "" : ` ${f.year}`;
  return `${DAYS[f.weekday]} ${f.day} ${MONTHS[f.month]}${year}`;
}

/** `2026-11-17 09:14:05`, for tables and details. */
export function stamp(at: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "no date";
  const f = fields(at, zone);
  return `${dayKey(at, zone)} ${two(f.hour)}:${two(f.minute)}:${two(f.second)}`;
}

/** The shortest that tells when: `09:14` today, `Mon 09:14` within six days, `17 Nov`, `17 Nov 2025`. */
export function shortWhen(at: number, now: number, zone: Zone = {}): string {
  if (Number.isNaN(at)) return "";
  const f = fields(at, zone);
  if (dayKey(at, zone) === dayKey(now, zone)) return clock(at, zone);
  if (Math.abs(now - at) < 6 * DAY) return `${DAYS[f.weekday]} ${clock(at, zone)}`;
  const year = f.year === fields(now, zone).year ? "" : ` ${f.year}`;
  return `${f.day} ${MONTHS[f.month]}${year}`;
}

/** A length of time in at most two units: `45 s`, `2 min`, `1 h 5 min`, `3 d 2 h`. Negative lengths read as `0 s`. */
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

/** `3:07` or `1:02:09`: what is left on a countdown. */
export function countdown(length: number): string {
  const total = Math.max(0, Math.ceil(length / SECOND));
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export interface WhenOptions extends Zone {
  /** Milliseconds since the epoch. */
  now: number;
  /** Which way a bare length like `2h` points; `+2h` always points ahead. */
  direction?: "past" | "future";
}

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;

/**
 * The instant (milliseconds since the epoch) of a time as typed: `now`, `today`, `yesterday`, `tomorrow`, `2h`, `+30m`, `7d`,
 * `2026-12-01`, `2026-12-01T09:00`, `2026-12-01T09:00:00Z`, `09:30` (today), ten or thirteen digits since the epoch.
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
  const days = { yesterday: -1, today: 0, tomorrow: 1 }[word];
  if (days !== undefined) return at(today.year, today.month, today.day + days);
  if (/^\d{10}$/.test(typed)) return Number(typed) * 1000;
  if (/^\d{13}$/.test(typed)) return Number(typed);
  const hours = /^(\d{1,2}):(\d{2})$/.exec(typed);
  if (hours && +hours[1]! < 24 && +hours[2]! < 60)
    return at(today.year, today.month, today.day, +hours[1]!, +hours[2]!);
  if (typed.length < 30 && /^[+-]?\d+(\.\d+)?\s*[a-z]+$/i.test(typed)) {
    const length = ms(typed.replace(/^\+/, "") as ms.StringValue);
    if (length !== undefined) {
      const back = typed.startsWith("-") || (direction === "past" && !typed.startsWith("+"));
      const found = now + (back ? -Math.abs(length) : Math.abs(length));
      if (Math.abs(found) <= 8.64e15) return found;
    }
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
  throw new RangeError(
    `'${typed.slice(0, 60)}' is not a time: use 2h, 30m, 7d, 2026-12-01, 2026-12-01T09:00, 2026-12-01T09:00:00Z or epoch seconds`,
  );
}
