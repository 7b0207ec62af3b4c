/** Times of foreign files, in microseconds since 1970; undefined for a time that no message can have. */
import { normalTime, timeToMicros } from "../../../wire/time.ts";

/** Seconds: the first second of an import, and one beyond which a time is no time of a message. */
const [FIRST, LAST] = [86_400, 4_000_000_000];

/** For people deactivated at an unknown time. */
export const UNKNOWN_TIME = "2000-01-01T00:00:00Z";

const inRange = (micros: number): number | undefined =>
  micros >= FIRST * 1e6 && micros <= LAST * 1e6 ? micros : undefined;

/** `1512085950.000216`, also without decimals. */
export function microsOf(ts: unknown): number | undefined {
  const [, seconds, micros = ""] =
    /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(typeof ts === "string" ? ts : "") ?? [];
  return seconds === undefined ? undefined : inRange(Number(seconds) * 1e6 + Number(micros.padEnd(6, "0")));
}

/** A number of seconds, with or without decimals. */
export const microsOfSeconds = (seconds: unknown): number | undefined =>
  typeof seconds === "number" ? inRange(Math.round(seconds * 1e6)) : undefined;

/** A number of milliseconds. */
export const microsOfMs = (ms: unknown): number | undefined =>
  typeof ms === "number" ? inRange(Math.round(ms * 1e3)) : undefined;

/** ISO 8601 with an offset. */
export const microsOfIso = (text: unknown): number | undefined =>
  typeof text === "string" && normalTime(text) !== undefined ? inRange(timeToMicros(text)) : undefined;

/** RFC 3339 with microseconds. */
export const timeText = (micros: number): string =>
  `${new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19)}.${String(micros % 1e6).padStart(6, "0")}Z`;

/** RFC 3339; undefined for a time after `now`, in milliseconds, and for none at all. */
export const pastTime = (micros: number | undefined, now: number): string | undefined =>
  micros === undefined || micros > now * 1000 ? undefined : timeText(micros);
