/** Statements over shared locations. */
import type { Database } from "../../../base/database.ts";
import { visibilityValues, VISIBLE, type Visibility } from "../../messages/storage/rows.ts";

export interface LocationRow {
  message_id: string;
  cid: string;
  user_id: string;
  latitude: number;
  longitude: number;
  device_id: string;
  end_at: number | null;
  created_at: number;
  updated_at: number;
}

export function findLocation(db: Database, messageId: string): LocationRow | undefined {
  return db.get<LocationRow>("SELECT * FROM locations WHERE message_id = ?", messageId);
}

/** A user's live locations in channels that are not deleted, oldest first. */
export function liveLocationsOfUser(db: Database, userId: string, now: number): LocationRow[] {
  return db.all<LocationRow>(
    `SELECT l.* FROM locations l JOIN channels c ON c.cid = l.cid AND c.deleted_at IS NULL
     WHERE l.user_id = ? AND l.end_at > ? ORDER BY l.created_at, l.message_id`,
    userId,
    now,
  );
}

/** Messages with a live location of the user in one channel. */
export function liveMessageIds(db: Database, userId: string, cid: string, now: number): string[] {
  return db.column<string>(
    "SELECT message_id FROM locations WHERE user_id = ? AND end_at > ? AND cid = ?",
    userId,
    now,
    cid,
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

export function moveLocation(db: Database, row: LocationRow): void {
  db.run(
    `UPDATE locations SET latitude = :latitude, longitude = :longitude, device_id = :device_id, end_at = :end_at,
     updated_at = :updated_at WHERE message_id = :message_id`,
    row,
  );
}

export function stopLocation(db: Database, messageId: string, now: number): void {
  db.run("UPDATE locations SET end_at = ?1, updated_at = ?1 WHERE message_id = ?2", now, messageId);
}

/** For a deleted message; `updated_at` stays the time of the last move. */
export function endLocationIfLive(db: Database, messageId: string, now: number): void {
  db.run("UPDATE locations SET end_at = ?1 WHERE message_id = ?2 AND end_at > ?1", now, messageId);
}

export function insertLocation(db: Database, row: LocationRow): void {
  db.run(
    `INSERT INTO locations (message_id, cid, user_id, latitude, longitude, device_id, end_at, created_at, updated_at)
     VALUES (:message_id, :cid, :user_id, :latitude, :longitude, :device_id, :end_at, :created_at, :updated_at)`,
    row,
  );
}
