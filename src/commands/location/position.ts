/** Parses positions such as `52.37,4.89` or the name of a larger town. */
import { fold } from "../../text/fold.ts";
import { LOCATION_MIN_DURATION } from "../../wire/constants.ts";
import { CommandError, type MeasuredTime } from "../base/define-command.ts";
import type { Position } from "../../model/locations.ts";

export const POSITION = {
  kind: "text",
  value: "lat,lon|town",
  positional: true,
  help: "Latitude and longitude in degrees, or the name of a larger town",
} as const;

/** Degrees, latitude first; undefined for an invalid position (L-2). */
export function positionOf(text: string): Position | undefined {
  const match = /^([+-]?\d{1,3}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)([+-]?\d{1,3}(?:\.\d+)?)$/.exec(text.trim());
  if (!match) return undefined;
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Maximum number of suggested towns. */
const MAX_SUGGESTIONS = 3;

/** Degrees, or the largest town of that name; `Paris, Texas` is possible. Throws `CommandError` (usage). */
export async function readPosition(text: string): Promise<Position> {
  const position = positionOf(text);
  if (position) return position;
  if (/^\s*[-+]?\d/.test(text))
    throw new CommandError(
      "usage",
      `'${text}' is not a position.`,
      "Write latitude,longitude in degrees: 52.37,4.89. One that begins with - goes behind --.",
    );
  const towns = await townsNamed(text);
  const townName = fold(text.split(",")[0]!.trim());
  const town = towns.find(({ name }) => fold(name) === townName);
  if (town) return { latitude: town.latitude, longitude: town.longitude };
  const suggestions = towns.map(({ name, country }) => `${name} (${country})`).join(", ");
  throw new CommandError(
    "usage",
    `'${text}' is neither a position nor the name of a larger town.`,
    `${suggestions && `Near it: ${suggestions}. `}Write latitude,longitude in degrees, such as 52.37,4.89, or a town.`,
  );
}

/** Empty when the atlas is missing. */
async function townsNamed(
  text: string,
): Promise<{ name: string; country: string; latitude: number; longitude: number }[]> {
  const { loadAtlas } = await import("../../atlas/load.ts");
  const { findPlaces } = await import("../../atlas/places.ts");
  const atlas = await loadAtlas().catch(() => undefined);
  return atlas ? findPlaces(atlas.places, text, MAX_SUGGESTIONS) : [];
}

/** The end of a live location (L-3, L-4); undefined for a static one. */
export function liveLocationEnd(until: MeasuredTime | undefined): string | undefined {
  if (until !== undefined && until.ms < LOCATION_MIN_DURATION)
    throw new CommandError(
      "usage",
      "A live location is shared for at least a minute.",
      "For example --for 1h.",
    );
  return until?.at;
}
