/** The route of the live location in #field-trip: a closed loop along a harbour. */
import type { Position } from "../../model/locations.ts";
import { positionBetween } from "../robots/acts.ts";

const STEPS_A_SIDE = 12;

/** The last leads back to the first. */
const CORNERS: readonly Position[] = [
  { latitude: 59.3251, longitude: 18.0711 },
  { latitude: 59.3243, longitude: 18.0748 },
  { latitude: 59.3228, longitude: 18.0762 },
  { latitude: 59.3209, longitude: 18.0745 },
  { latitude: 59.3202, longitude: 18.0709 },
  { latitude: 59.3214, longitude: 18.0672 },
  { latitude: 59.3236, longitude: 18.0668 },
];

export function positionOnRoute(step: number): Position {
  const side = Math.floor(step / STEPS_A_SIDE) % CORNERS.length;
  const part = (step % STEPS_A_SIDE) / STEPS_A_SIDE;
  return positionBetween(CORNERS[side]!, CORNERS[(side + 1) % CORNERS.length]!, part);
}
