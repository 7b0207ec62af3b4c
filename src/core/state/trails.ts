/** The earlier positions of live locations, kept until sharing ends. */
import type { Trail, TrackedLocation } from "../../model/state.ts";
import { hasPosition, type SharedLocation } from "../../wire/entities/location.ts";

/** Most positions of a trail; the oldest are dropped first. */
const MAX_POSITIONS = 200;

/** The trail after a location has moved; undefined for none. */
export function trailAfter(
  trail: Trail | undefined,
  before: SharedLocation | null | undefined,
  after: SharedLocation | null | undefined,
): Trail | undefined {
  if (!before?.end_at || !after?.end_at || !hasPosition(before) || !hasPosition(after)) return trail;
  const { latitude, longitude } = before;
  if (latitude === after.latitude && longitude === after.longitude) return trail;
  return [...(trail ?? []).slice(1 - MAX_POSITIONS), { latitude, longitude }];
}

/** Answered live locations, each with its existing trail. */
export const withTrails = (
  before: readonly TrackedLocation[],
  answered: readonly SharedLocation[],
): readonly TrackedLocation[] =>
  answered.map((location) => {
    const held = before.find(({ message_id }) => message_id === location.message_id);
    const trail = held && trailAfter(held.trail, held, location);
    return trail ? { ...location, trail } : location;
  });
