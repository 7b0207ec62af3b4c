/** Routes of live locations: listing the caller's own, and updating one (specification/locations.md §4). */
import type { SharedLocation } from "../../../../wire/entities/location.ts";
import { locationBodies } from "../../../../wire/bodies/locations.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { channelView } from "../../channels/view/channels.ts";
import { BodyReader, readBody, invalidField } from "../../validation/check.ts";
import { publishLocationChange } from "./end.ts";
import { requireLocations } from "./input.ts";
import { locationView } from "../view/locations.ts";
import { liveLocationsOfUser, locations, type LocationRow } from "../storage/rows.ts";
import { findMessage, type MessageRow } from "../../messages/storage/rows.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext, type ViewContext } from "../../users/view/view-context.ts";
import { requireReadChannel, callerPermissions } from "../../access/view/policy.ts";

export function getLiveLocations(call: RouteCall): Reply<"getLiveLocations"> {
  const me = actor(call, call.query);
  const now = call.now();
  const context = viewContext(call.db, call.emit, now, me.id);
  const rows = liveLocationsOfUser(call.db, me.id, now);
  return { active_live_locations: rows.map((row) => fullLocation(call, context, row)) };
}

/** A location with its channel and message. */
function fullLocation(call: RouteCall, context: ViewContext, row: LocationRow): SharedLocation {
  const message = findMessage(call.db, row.message_id);
  return {
    ...locationView(row),
    channel: channelView(context.people, channelRow(call.db, row.cid)),
    ...(message ? { message: messageView(context, message) } : {}),
  };
}

/** LU-1…4: absent fields are not changed; an `end_at` that is not in the future stops the sharing. */
export function updateLiveLocation(call: RouteCall): Reply<"updateLiveLocation"> {
  const { db } = call;
  const me = actor(call);
  const { message_id } = locationBodies.updateLiveLocation;
  const { message_id: messageId } = readBody(call.body, { message_id });
  const row = locations.find(db, { message_id: messageId });
  const message: MessageRow | undefined = row && findMessage(db, messageId);
  if (!row || !message) throw ApiProblem.notFound(`Message ${messageId} has no shared location`);
  const permissions = callerPermissions(call, channelRow(db, row.cid));
  if (row.user_id !== me.id) throw ApiProblem.notAllowed("Only the author may move a shared location");
  requireReadChannel(permissions);
  const check = new BodyReader(call.body);
  const {
    latitude,
    longitude,
    end_at: endAt,
    created_by_device_id: device,
  } = check.read(locationBodies.updateLiveLocation);
  const now = call.now();
  const stops = endAt !== undefined && endAt <= now;
  // Stopping works even after the feature was turned off.
  if (!stops) requireLocations(call, permissions);
  check.done();
  if (row.end_at === null) throw invalidField("message_id", "names a location that is not live");
  if (row.end_at <= now) throw invalidField("message_id", "names a live location that has ended");
  const after = locations.update(db, row, {
    latitude: latitude ?? row.latitude,
    longitude: longitude ?? row.longitude,
    device_id: device || row.device_id,
    end_at: endAt === undefined ? row.end_at : stops ? Math.min(now, Math.max(endAt, row.created_at)) : endAt,
    updated_at: now,
  });
  publishLocationChange(call, message, now);
  return fullLocation(call, viewContext(db, call.emit, now, me.id), after);
}
