/** Towns and cities, by name and by nearness. */
import { folded } from "../text/folded.ts";
import { distance, type LatLng } from "./projection.ts";
import type { Places } from "./read.ts";

/** A town or city; where names repeat, the country tells which. */
interface Town extends LatLng {
  name: string;
  /** In English, with the state of one in the United States. */
  country: string;
}

let regions: Intl.DisplayNames | undefined;

/** The name of a country by its two letters. */
function countryName(code: string): string {
  regions ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });
  return regions.of(code) ?? code;
}

/** Names as they are looked for, made when first wanted. */
const searched = new WeakMap<Places, readonly string[]>();

function searchedNames(places: Places): readonly string[] {
  let names = searched.get(places);
  if (!names) searched.set(places, (names = places.names.map(folded)));
  return names;
}

const codeOf = (places: Places, at: number): string => places.countries.slice(at * 2, at * 2 + 2);

function countryOf(places: Places, at: number): string {
  const code = codeOf(places, at);
  const country = /^[A-Z]{2}$/.test(code) ? countryName(code) : code.trim();
  return [places.states[at], country].filter(Boolean).join(", ");
}

/** As exact as the atlas is, without the noise of short floats. */
const rounded = (degrees: number): number => Math.round(degrees * 1000) / 1000;

const placeAt = (places: Places, at: number): Town => ({
  name: places.names[at]!,
  country: countryOf(places, at),
  latitude: rounded(places.latitudes[at]!),
  longitude: rounded(places.longitudes[at]!),
});

/** 0 = the whole name, 1 = begins with it, 2 = a word of it does. */
function fit(name: string, wanted: string): 0 | 1 | 2 | undefined {
  if (!name.includes(wanted)) return undefined;
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(` ${wanted}`) || name.includes(`-${wanted}`) ? 2 : undefined;
}

/** Places by the start of their name, the largest first; behind a comma may stand the country or state that is meant. */
export function findPlaces(places: Places, query: string, most: number): Town[] {
  const [name = "", ...more] = query.split(",").map((part) => folded(part.trim()));
  const where = more.join(" ").trim();
  if (name === "") return [];
  const found: { at: number; rank: number }[] = [];
  for (const [at, each] of searchedNames(places).entries()) {
    const rank = fit(each, name);
    if (rank === undefined) continue;
    if (where && codeOf(places, at).toLowerCase() !== where && !folded(countryOf(places, at)).includes(where))
      continue;
    found.push({ at, rank });
  }
  return found
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => placeAt(places, at));
}

/** The place next to a position, and how many kilometres away. */
export function nearestPlace(
  places: Places,
  position: LatLng,
): { place: Town; distance: number } | undefined {
  const across = Math.cos((position.latitude * Math.PI) / 180);
  let best = -1;
  let least = Infinity;
  for (let at = 0; at < places.latitudes.length; at++) {
    const north = places.latitudes[at]! - position.latitude;
    let east = Math.abs(places.longitudes[at]! - position.longitude);
    if (east > 180) east = 360 - east;
    const far = north * north + east * east * across * across;
    if (far < least) [least, best] = [far, at];
  }
  if (best < 0) return undefined;
  const place = placeAt(places, best);
  return { place, distance: distance(position, place) };
}

/** Places inside of these edges, the largest first, at most so many. */
export function placesWithin(places: Places, inside: (position: LatLng) => boolean, most: number): Town[] {
  const found: Town[] = [];
  for (let at = 0; at < places.latitudes.length && found.length < most; at++)
    if (inside({ latitude: places.latitudes[at]!, longitude: places.longitudes[at]! }))
      found.push(placeAt(places, at));
  return found;
}
