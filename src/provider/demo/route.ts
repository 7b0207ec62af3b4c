/** The route of the live location in #field-trip: a closed loop along a harbour. */
import type { Position } from "../../model/locations.ts";

const STEPS_A_SIDE = 12;

/** Latitude and longitude of each corner, in degrees; the last leads back to the first. */
const CORNERS: readonly (readonly [number, number])[] = [
  [59.3251, 18.0711],
  [59.3243, 18.0748],
  [59.3228, 18.0762],
  [59.3209, 18.0745],
  [59.3202, 18.0709],
  [59.3214, 18.0672],
  [59.3236, 18.0668],
];

export function positionOnRoute(step: number): Position {
  const side = Math.floor(step / STEPS_A_SIDE) % CORNERS.length;
  const part = (step % STEPS_A_SIDE) / STEPS_A_SIDE;
  const [a, b] = [CORNERS[side]!, CORNERS[(side + 1) % CORNERS.length]!];
  const mix = (from: number, to: number): number => Number((from + (to - from) * part).toFixed(6));
  return { latitude: mix(a[0], b[0]), longitude: mix(a[1], b[1]) };
}
