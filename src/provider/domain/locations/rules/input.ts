/** Checks the location of a new message (L-1 … L-3), and allows each user one live location per channel (LE-4). */
import { LOCATION_MIN_DURATION } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import { invalidField, type BodyReader } from "../../validation/check.ts";
import { endLocation } from "./end.ts";
import { requirePermission, requireFeature, type Permissions } from "../../access/view/policy.ts";
import { liveMessageIds } from "../storage/rows.ts";

export interface NewLocation {
  latitude: number;
  longitude: number;
  device: string;
  endAt: number | null;
}

export function readLocation(check: BodyReader): NewLocation | undefined {
  const source = check.object("shared_location");
  if (!source) return undefined;
  const inner = check.inside("shared_location");
  const latitude = inner.decimal("latitude", -90, 90);
  const longitude = inner.decimal("longitude", -180, 180);
  if (source.latitude == null) inner.fail("latitude", "is required");
  if (source.longitude == null) inner.fail("longitude", "is required");
  const device = inner.need("created_by_device_id", 255);
  const endAt = inner.date("end_at") ?? null;
  return { latitude: latitude ?? 0, longitude: longitude ?? 0, device, endAt };
}

/** How much shorter than the minimum a duration may be, microseconds: the request takes time, and clocks differ (L-3). */
const DURATION_TOLERANCE = 5_000_000;

/** Throws code 19 if shared locations are off in the app or the channel. */
export function requireLocations(call: RouteCall, permissions: Permissions): void {
  if (!readApp(call.db).shared_locations_enabled)
    throw ApiProblem.featureOff("Shared locations are turned off for this app");
  requireFeature(permissions, "shared_locations", "shared locations");
}

/** Check 8: permission, feature and duration. Ends an earlier live location of the user in the channel. */
export function replaceLiveLocation(
  call: RouteCall,
  permissions: Permissions,
  userId: string,
  location: NewLocation,
  now: number,
): void {
  requirePermission(permissions, "share-location", "share locations");
  requireLocations(call, permissions);
  if (location.endAt === null) return;
  if (location.endAt < now + LOCATION_MIN_DURATION * 1000 - DURATION_TOLERANCE)
    throw invalidField("message.shared_location.end_at", "must be at least a minute from now");
  for (const id of liveMessageIds(call.db, userId, permissions.channel.cid, now)) endLocation(call, id, now);
}
