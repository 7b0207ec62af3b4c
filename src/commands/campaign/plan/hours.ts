/** When hours and days open and close: instants in milliseconds, for any zone and its changes of clocks (specification/campaigns.md §12). */
import { instantOf, offsetAt } from "../../../text/zones.ts";
import { timeProblem, type Guards } from "../file/guards.ts";

/** Hours of the day and days without any, in a zone. */
export type Hours = Pick<Guards, "window" | "zone" | "quiet">;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Days looked at: hours that stay closed for longer never open. */
const MOST_DAYS = 400;

const isOpen = (hours: Hours, at: number): boolean => timeProblem(hours, at) === undefined;

/** The instants after `at` with one of these minutes of the day, in order; a time that clocks skip is the instant after the gap, the first of two counts. */
export function* timesOfDay(minutes: readonly number[], zone: string, at: number): Iterable<number> {
  const name = { name: zone };
  const wall = at + offsetAt(at, name);
  const sorted = [...new Set(minutes)].toSorted((a, b) => a - b);
  let last = at;
  for (let day = wall - (wall % DAY), n = 0; n < MOST_DAYS; day += DAY, n++)
    for (const minute of sorted) {
      const instant = instantOf(day + minute * MINUTE, name).at;
      if (instant > last) yield (last = instant);
    }
}

/** The first instant after `at` at which the hours are open, or closed; undefined if they stay as they are. */
function changeAfter(hours: Hours, at: number, opens: boolean): number | undefined {
  const { window, zone } = hours;
  for (const instant of timesOfDay([0, ...(window ? [window.from, window.to] : [])], zone!, at))
    if (isOpen(hours, instant) === opens) return instant;
  return undefined;
}

/** The first open instant from `at` on; undefined if there is none. */
export const openingFrom = (hours: Hours | undefined, at: number): number | undefined =>
  hours === undefined || isOpen(hours, at) ? at : changeAfter(hours, at, true);

/** When hours that are open at `at` close; Infinity if they never do. */
export const closingAfter = (hours: Hours | undefined, at: number): number =>
  (hours && changeAfter(hours, at, false)) ?? Infinity;

/** Milliseconds between two instants in which the hours are open. */
export function openTime(hours: Hours | undefined, from: number, to: number): number {
  let [open, at] = [0, openingFrom(hours, from)];
  while (at !== undefined && at < to) {
    const closes = Math.min(closingAfter(hours, at), to);
    open += closes - at;
    at = openingFrom(hours, closes);
  }
  return open;
}

/** The open instant after this many milliseconds in which the hours are open. */
export function afterOpenTime(hours: Hours | undefined, from: number, ms: number): number | undefined {
  let [left, at] = [ms, openingFrom(hours, from)];
  while (at !== undefined) {
    const closes = closingAfter(hours, at);
    if (at + left < closes) return at + left;
    left -= closes - at;
    at = openingFrom(hours, closes);
  }
  return undefined;
}
