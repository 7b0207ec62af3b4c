/** The table of shared locations, and which are live. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, REAL, table, TEXT, type RowOf } from "../../../store/table.ts";
import { visibilityValues, VISIBLE, type Visibility } from "../../messages/storage/rows.ts";

export const locations = table(
  "locations",
  {
    message_id: TEXT.key,
    cid: TEXT,
    user_id: TEXT,
    latitude: REAL,
    longitude: REAL,
    device_id: TEXT,
    end_at: INTEGER.null,
    created_at: INTEGER,
    updated_at: INTEGER,
  },
  {
    rowid: true,
    indexes: {
      locations_live: "(user_id, end_at) WHERE end_at IS NOT NULL",
      locations_of_channel: "(cid, end_at) WHERE end_at IS NOT NULL",
    },
  },
);
export type LocationRow = RowOf<typeof locations>;

/** Messages with a live location of the user in one channel. */
export const liveMessageIds = (db: Database, userId: string, cid: string, now: number): string[] =>
  locations.values(db, "message_id", { user_id: userId, end_at: { after: now }, cid });

/** A user's live locations in channels that are not deleted, oldest first. */
export function liveLocationsOfUser(db: Database, userId: string, now: number): LocationRow[] {
  return db.all<LocationRow>(
    `SELECT l.* FROM locations l JOIN channels c ON c.cid = l.cid AND c.deleted_at IS NULL
     WHERE l.user_id = :userId AND l.end_at > :now ORDER BY l.created_at, l.message_id`,
    { userId, now },
  );
}

/** The live locations of a channel whose messages the reader may see, oldest first. */
export function liveLocationsIn(
  db: Database,
  cid: string,
  visibility: Visibility,
  now: number,
): LocationRow[] {
  return db.all<LocationRow>(
    `SELECT l.* FROM locations l JOIN messages m ON m.id = l.message_id
     WHERE l.cid = ? AND l.end_at > ? AND ${VISIBLE} ORDER BY l.created_at`,
    cid,
    now,
    ...visibilityValues(visibility),
  );
}
