/** Times of day in time zones: offsets, and the gaps and doubled hours when clocks are changed. */

export interface Zone {
  /** UTC instead of the machine's own zone (`--utc`). */
  utc?: boolean;
  /** The name of another zone: `Asia/Tokyo`. */
  name?: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(name: string): Intl.DateTimeFormat {
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(name, format);
  }
  return format;
}

/** Whether a text is the name of a zone, such as `Europe/Berlin`. */
export function isZoneName(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The name of a zone, for people. */
export const zoneName = ({ utc, name }: Zone): string =>
  utc ? "UTC" : (name ?? Intl.DateTimeFormat().resolvedOptions().timeZone);

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
export function offsetAt(at: number, { utc, name }: Zone): number {
  if (utc) return 0;
  if (name === undefined) return -new Date(at).getTimezoneOffset() * MINUTE;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(name).formatToParts(at)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** What a wall clock time (as if it were UTC) is in a zone: the first instant with it; in a gap the instant after it, and the gap. */
interface Instant {
  at: number;
  /** The instant at which the clocks are set forward, past this time. */
  gap?: number;
}

export function instantOf(wall: number, zone: Zone): Instant {
  const offsets = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)];
  const instants = offsets.map((offset) => wall - offset).filter((at) => at + offsetAt(at, zone) === wall);
  if (instants.length > 0) return { at: Math.min(...instants) };
  const gap = changeBetween(wall - Math.max(...offsets), wall - Math.min(...offsets), zone);
  return { at: gap, gap };
}

/** The first instant with the offset of `end`, to the millisecond. */
function changeBetween(start: number, end: number, zone: Zone): number {
  const after = offsetAt(end, zone);
  let [before, from] = [start, end];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (offsetAt(middle, zone) === after) from = middle;
    else before = middle;
  }
  return from;
}

/** `first` or `second` for an instant whose time of day comes twice, because the clocks are set back. */
export function turnOf(at: number, zone: Zone): "first" | "second" | undefined {
  const wall = at + offsetAt(at, zone);
  const others = [at - DAY, at + DAY].map((near) => wall - offsetAt(near, zone));
  const other = others.find((one) => one !== at && one + offsetAt(one, zone) === wall);
  return other === undefined ? undefined : other > at ? "first" : "second";
}
