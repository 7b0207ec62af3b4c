/** Which locations may be sent, and how one is written in a message (L-1…L-7). */
import { LOCATION_MIN_DURATION } from "../../wire/constants.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";

/** What the user chose; without a duration it is static (L-5). */
export interface LocationChoice {
  /** Degrees, −90…90. */
  latitude: number;
  /** Degrees, −180…180. */
  longitude: number;
  /** Milliseconds the sharing lasts, at least LOCATION_MIN_DURATION (L-3). */
  duration?: number;
}

const within = (value: unknown, limit: number): boolean =>
  typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= limit;
const named = (id: string | undefined): boolean => id !== undefined && id.trim() !== "";

/** L-2: finite and on the globe. */
export function isPosition(position: { latitude: number; longitude: number }): boolean {
  return within(position.latitude, 90) && within(position.longitude, 180);
}

/** Why a location is not sent (L-1…L-3), a sentence; undefined when it is good. */
export function locationProblem(
  choice: LocationChoice,
  ids: { device: string | undefined; message: string | undefined },
): string | undefined {
  if (!named(ids.device)) return "A location needs the id of this device";
  if (!named(ids.message)) return "A location needs the id of its message";
  if (!isPosition(choice))
    return "A location needs a latitude from -90 to 90 and a longitude from -180 to 180";
  const { duration } = choice;
  if (duration !== undefined && !(Number.isFinite(duration) && duration >= LOCATION_MIN_DURATION))
    return `A location is shared for at least ${LOCATION_MIN_DURATION / 1000} seconds`;
  return undefined;
}

/**
 * The `shared_location` of a message that is sent at `now` (provider time, milliseconds); undefined when it is not
 * valid: then it is dropped and the rest may be sent (L-6). The end is counted from the send (L-4).
 */
export function locationPart(
  choice: LocationChoice,
  ids: { device: string | undefined; message: string | undefined },
  now: number,
): SharedLocation | undefined {
  if (locationProblem(choice, ids) !== undefined) return undefined;
  return {
    latitude: choice.latitude,
    longitude: choice.longitude,
    created_by_device_id: ids.device!,
    ...(choice.duration !== undefined && { end_at: new Date(now + choice.duration).toISOString() }),
  };
}
