/** Routes of live locations: the caller's own that still move, and moving one (locations.md §4). */
import { Refusal, type Call, type Reply } from "../../handler.ts";
import { actor } from "../asked/acting.ts";
import { channelRow } from "../channels/rows.ts";
import { channelView } from "../channels/view.ts";
import { Check, wrong } from "../asked/check.ts";
import { tellMoved } from "./end.ts";
import { locationView, type LocationRow } from "./view.ts";
import { findMessage, type MessageRow } from "../messages/rows.ts";
import { looking, messageView } from "../messages/view.ts";
import { mayReadChannel, notAllowed, standingOf } from "../access/policy.ts";

const LISTED = 100;

export function getLiveLocations(call: Call): Reply {
  const me = actor(call, call.query);
  const now = call.now();
  const at = looking(call.db, call.emit, now, me.id);
  const rows = call.db.all<LocationRow>(
    `SELECT l.* FROM locations l JOIN channels c ON c.cid = l.cid AND c.deleted_at IS NULL
     WHERE l.user_id = ? AND l.end_at > ? ORDER BY l.created_at LIMIT ?`,
    me.id,
    now,
    LISTED,
  );
  return {
    active_live_locations: rows.map((row) => {
      const message = findMessage(call.db, row.message_id);
      return {
        ...locationView(row),
        channel: channelView(at.people, channelRow(call.db, row.cid)),
        ...(message ? { message: messageView(at, message) } : {}),
      };
    }),
  };
}

/** LU-1…6: fields that are absent stay; an `end_at` that is not in the future stops the sharing. */
export function updateLiveLocation(call: Call): Reply {
  const { db } = call;
  const me = actor(call, { ...call.query, ...call.body });
  const check = new Check(call.body);
  const messageId = check.need("message_id", 255);
  const latitude = check.decimal("latitude", -90, 90);
  const longitude = check.decimal("longitude", -180, 180);
  const endAt = check.date("end_at");
  const device = check.text("created_by_device_id", 255);
  check.done();
  const row = db.get<LocationRow>("SELECT * FROM locations WHERE message_id = ?", messageId);
  const message: MessageRow | undefined = row && findMessage(db, messageId);
  if (!row || !message) throw new Refusal(16, `Message ${messageId} has no shared location`);
  if (row.user_id !== me.id) throw notAllowed("Only the author may move a shared location");
  const s = standingOf(call, channelRow(db, row.cid));
  mayReadChannel(s);
  const now = call.now();
  if (row.end_at === null) throw wrong("message_id", "names a location that is not live");
  if (row.end_at <= now) throw wrong("message_id", "names a live location that has ended");
  const after: LocationRow = {
    ...row,
    latitude: latitude ?? row.latitude,
    longitude: longitude ?? row.longitude,
    device_id: device || row.device_id,
    end_at: endAt === undefined ? row.end_at : Math.max(endAt, row.created_at),
    updated_at: now,
  };
  db.run(
    `UPDATE locations SET latitude = ?, longitude = ?, device_id = ?, end_at = ?, updated_at = ? WHERE message_id = ?`,
    after.latitude,
    after.longitude,
    after.device_id,
    after.end_at,
    now,
    messageId,
  );
  tellMoved(call, s, message, now);
  return { ...locationView(after) };
}
