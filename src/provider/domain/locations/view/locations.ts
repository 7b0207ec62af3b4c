/** Shared locations in answers and events (specification/locations.md §2). */
import type { SharedLocation } from "../../../../wire/entities/location.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import type { Visibility } from "../../messages/storage/rows.ts";
import { liveLocationsIn, locations, type LocationRow } from "../storage/rows.ts";

export function locationView(row: LocationRow): SharedLocation {
  return {
    message_id: row.message_id,
    channel_cid: row.cid,
    user_id: row.user_id,
    latitude: row.latitude,
    longitude: row.longitude,
    created_by_device_id: row.device_id,
    ...(row.end_at === null ? {} : { end_at: timeFromMicros(row.end_at) }),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

/** The locations of messages, by message id. */
export function locationsOf(
  db: Database,
  rows: { id: string; has_location: number }[],
): Map<string, SharedLocation> {
  const found = new Map<string, SharedLocation>();
  for (const { id, has_location } of rows) {
    if (!has_location) continue;
    const row = locations.find(db, { message_id: id });
    if (row) found.set(id, locationView(row));
  }
  return found;
}

/** The live locations of a channel, `end_at` in the future, whose messages the reader may see (LE-1). */
export function liveLocationsOf(
  db: Database,
  cid: string,
  visibility: Visibility,
  now: number,
): SharedLocation[] {
  return liveLocationsIn(db, cid, visibility, now).map(locationView);
}
