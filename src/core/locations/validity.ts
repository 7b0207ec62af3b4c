/** Checks locations before they are sent, and builds the part of a message that holds one (L-1…L-7). */
import { LOCATION_MIN_DURATION } from "../../wire/constants.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";

/** A location chosen by the user; static without a duration (L-5). */
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
const isFilled = (id: string | undefined): boolean => id !== undefined && id.trim() !== "";

/** L-2: finite and on the globe. */
export function isPosition(position: { latitude: number; longitude: number }): boolean {
  return within(position.latitude, 90) && within(position.longitude, 180);
}

/** Why a location cannot be sent (L-1…L-3); undefined when it is valid. */
export function locationProblem(
  choice: LocationChoice,
  ids: { device: string | undefined; message: string | undefined },
): string | undefined {
  if (!isFilled(ids.device)) return "A location needs the id of this device";
  if (!isFilled(ids.message)) return "A location needs the id of its message";
  if (!isPosition(choice))
    return "A location needs a latitude from -90 to 90 and a longitude from -180 to 180";
  const { duration } = choice;
  if (duration !== undefined && !(Number.isFinite(duration) && duration >= LOCATION_MIN_DURATION))
    return `A location is shared for at least ${LOCATION_MIN_DURATION / 1000} seconds`;
  return undefined;
}

/**
 * The `shared_location` of a message sent at `now` (provider time, milliseconds), from which its end counts (L-4).
 * Undefined when invalid: it is dropped and the rest of the message may be sent (L-6).
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
