/** Positions as people write them: `52.37,4.89`. */
import { LOCATION_MIN_DURATION } from "../../wire/constants.ts";
import { CommandError } from "../base/define-command.ts";
import type { MeasuredTime } from "../base/define-command.ts";

export interface Position {
  latitude: number;
  longitude: number;
}

/** Degrees, latitude first; undefined when the text is no place on the globe (L-2). */
export function positionOf(text: string): Position | undefined {
  const found = /^([+-]?\d{1,3}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)([+-]?\d{1,3}(?:\.\d+)?)$/.exec(text.trim());
  if (!found) return undefined;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

export function readPosition(text: string): Position {
  const position = positionOf(text);
  if (position) return position;
  throw new CommandError(
    "usage",
    `'${text}' is not a position.`,
    "Write latitude,longitude in degrees: 52.37,4.89. One that begins with - goes behind --.",
  );
}

/** The end of a live location (L-3, L-4); undefined for a static one. */
export function endOf(until: MeasuredTime | undefined): string | undefined {
  if (until !== undefined && until.ms < LOCATION_MIN_DURATION)
    throw new CommandError(
      "usage",
      "A live location is shared for at least a minute.",
      "For example --for 1h.",
    );
  return until?.at;
}
