/** Finds towns and cities by name or by distance. */
import { fold } from "../text/fold.ts";
import { distance, type LatLng } from "./projection.ts";
import type { Places } from "./read.ts";

interface Town extends LatLng {
  name: string;
  /** In English; for the United States with the state in front. */
  country: string;
}

let regions: Intl.DisplayNames | undefined;

/** English name of a country by its two-letter code. */
function countryName(code: string): string {
  regions ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });
  return regions.of(code) ?? code;
}

/** Folded names for searching, built on first use. */
const foldedNamesCache = new WeakMap<Places, readonly string[]>();

function foldedNames(places: Places): readonly string[] {
  let names = foldedNamesCache.get(places);
  if (!names) foldedNamesCache.set(places, (names = places.names.map(fold)));
  return names;
}

const codeOf = (places: Places, at: number): string => places.countries.slice(at * 2, at * 2 + 2);

function countryOf(places: Places, at: number): string {
  const code = codeOf(places, at);
  const country = /^[A-Z]{2}$/.test(code) ? countryName(code) : code.trim();
  return [places.states[at], country].filter(Boolean).join(", ");
}

/** Rounds off the noise of 32-bit floats; the atlas has three decimals. */
const rounded = (degrees: number): number => Math.round(degrees * 1000) / 1000;

const placeAt = (places: Places, at: number): Town => ({
  name: places.names[at]!,
  country: countryOf(places, at),
  latitude: rounded(places.latitudes[at]!),
  longitude: rounded(places.longitudes[at]!),
});

/** Rank of a match: 0 = the whole name, 1 = the name starts with it, 2 = a later word does. */
function matchRank(name: string, query: string): 0 | 1 | 2 | undefined {
  if (!name.includes(query)) return undefined;
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  return name.includes(` ${query}`) || name.includes(`-${query}`) ? 2 : undefined;
}

/** Places by the start of their name, best match and largest first; a country or state may follow after a comma. */
export function findPlaces(places: Places, query: string, limit: number): Town[] {
  const [name = "", ...qualifiers] = query.split(",").map((part) => fold(part.trim()));
  const region = qualifiers.join(" ").trim();
  if (name === "") return [];
  const matches: { at: number; rank: number }[] = [];
  for (const [at, foldedName] of foldedNames(places).entries()) {
    const rank = matchRank(foldedName, name);
    if (rank === undefined) continue;
    if (
      region &&
      codeOf(places, at).toLowerCase() !== region &&
      !fold(countryOf(places, at)).includes(region)
    )
      continue;
    matches.push({ at, rank });
  }
  return matches
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, limit)
    .map(({ at }) => placeAt(places, at));
}

/** The place nearest to a position, and its distance in kilometres. */
export function nearestPlace(
  places: Places,
  position: LatLng,
): { place: Town; distance: number } | undefined {
  const longitudeScale = Math.cos((position.latitude * Math.PI) / 180);
  let best = -1;
  let nearest = Infinity;
  for (let at = 0; at < places.latitudes.length; at++) {
    const north = places.latitudes[at]! - position.latitude;
    let east = Math.abs(places.longitudes[at]! - position.longitude);
    if (east > 180) east = 360 - east;
    const squared = north * north + east * east * longitudeScale * longitudeScale;
    if (squared < nearest) [nearest, best] = [squared, at];
  }
  if (best < 0) return undefined;
  const place = placeAt(places, best);
  return { place, distance: distance(position, place) };
}

/** Up to `limit` places whose position passes `inside`, largest first. */
export function placesWithin(places: Places, inside: (position: LatLng) => boolean, limit: number): Town[] {
  const matches: Town[] = [];
  for (let at = 0; at < places.latitudes.length && matches.length < limit; at++)
    if (inside({ latitude: places.latitudes[at]!, longitude: places.longitudes[at]! }))
      matches.push(placeAt(places, at));
  return matches;
}
