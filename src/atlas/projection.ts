/** The Mercator projection, and distances and directions on the globe. */

/** Degrees. */
export interface LatLng {
  latitude: number;
  longitude: number;
}

/** Latitudes are clamped to this: the projection grows to infinity at the poles. */
const MAX_LATITUDE = 84;
const EARTH_KM = 6371;
const RADIANS = Math.PI / 180;

/** Degrees of latitude → degrees on the map. */
export const mercator = (latitude: number): number => {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  return Math.log(Math.tan(Math.PI / 4 + (clamped * RADIANS) / 2)) / RADIANS;
};

/** Degrees on the map → degrees of latitude. */
export const inverseMercator = (y: number): number =>
  (2 * Math.atan(Math.exp(y * RADIANS)) - Math.PI / 2) / RADIANS;

/** Kilometres per map degree at a latitude. */
export const kmPerDegree = (latitude: number): number =>
  EARTH_KM * RADIANS * Math.cos(Math.min(MAX_LATITUDE, Math.abs(latitude)) * RADIANS);

/** Kilometres along the ground. */
export function distance(a: LatLng, b: LatLng): number {
  const [from, to] = [a.latitude * RADIANS, b.latitude * RADIANS];
  const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;
  const part =
    haversine(to - from) + Math.cos(from) * Math.cos(to) * haversine((b.longitude - a.longitude) * RADIANS);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, part)));
}

const COMPASS_POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;

/** Compass direction from `a` to `b`. */
export function direction(a: LatLng, b: LatLng): (typeof COMPASS_POINTS)[number] {
  const [from, to] = [a.latitude * RADIANS, b.latitude * RADIANS];
  const east = (b.longitude - a.longitude) * RADIANS;
  const y = Math.sin(east) * Math.cos(to);
  const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east);
  const eighth = Math.round(Math.atan2(y, x) / (Math.PI / 4));
  return COMPASS_POINTS[(eighth + COMPASS_POINTS.length) % COMPASS_POINTS.length]!;
}

/** `450 m`, `3.2 km`, `120 km`. */
export function formatLength(km: number): string {
  if (km < 0.9995) return `${Math.round(km * 1000)} m`;
  return `${km < 10 ? Math.round(km * 10) / 10 : Math.round(km)} km`;
}
