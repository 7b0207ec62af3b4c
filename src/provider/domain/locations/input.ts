/** A location inside a message: its checks (L-1 … L-3) and the one live location a channel allows each user (LE-4). */
import { LOCATION_MIN_DURATION } from "../../../wire/constants.ts";
import type { Call } from "../../handler.ts";
import { wrong, type Check } from "../asked/check.ts";
import { endLocation } from "./end.ts";
import { allow, needFeature, type Standing } from "../access/policy.ts";

export interface NewLocation {
  latitude: number;
  longitude: number;
  device: string;
  endAt: number | null;
}

export function readLocation(check: Check): NewLocation | undefined {
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

/** How much earlier than the least duration an `end_at` may come: the way from the sender's clock to ours (L-3). */
const TOLERANCE = 5_000_000;

/** Check 8: feature, right and duration; an earlier live location of the user in the channel ends. */
export function replaceLive(
  call: Call,
  s: Standing,
  userId: string,
  location: NewLocation,
  now: number,
): void {
  needFeature(s, "shared_locations", "shared locations");
  allow(s, "share-location", "share locations");
  if (location.endAt === null) return;
  if (location.endAt < now + LOCATION_MIN_DURATION * 1000 - TOLERANCE)
    throw wrong("message.shared_location.end_at", "must be at least a minute from now");
  for (const { message_id } of call.db.all<{ message_id: string }>(
    "SELECT message_id FROM locations WHERE user_id = ? AND end_at > ? AND cid = ?",
    userId,
    now,
    s.channel.cid,
  ))
    endLocation(call, s, message_id, now);
}
