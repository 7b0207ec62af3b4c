/** The earlier positions of live locations, kept until sharing ends. */
import type { Trail, TrackedLocation } from "../../model/state.ts";
import { hasPosition, type SharedLocation } from "../../wire/entities/location.ts";

/** Positions that are kept; the oldest go first. */
const MOST = 200;

/** The trail after a location has become another one; undefined for none. */
export function trailAfter(
  trail: Trail | undefined,
  before: SharedLocation | null | undefined,
  after: SharedLocation | null | undefined,
): Trail | undefined {
  if (!before?.end_at || !after?.end_at || !hasPosition(before) || !hasPosition(after)) return trail;
  const { latitude, longitude } = before;
  if (latitude === after.latitude && longitude === after.longitude) return trail;
  return [...(trail ?? []).slice(1 - MOST), { latitude, longitude }];
}

/** The live locations of a channel as they were told again, each with the trail it had. */
export const withTrails = (
  before: readonly TrackedLocation[],
  told: readonly SharedLocation[],
): readonly TrackedLocation[] =>
  told.map((location) => {
    const held = before.find(({ message_id }) => message_id === location.message_id);
    const trail = held && trailAfter(held.trail, held, location);
    return trail ? { ...location, trail } : location;
  });
