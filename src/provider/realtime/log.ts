/** The event log behind POST /sync: written in the transaction of the change, bounded in age and number. */
import { EVENT_LOG_EVENTS, SYNC_AGE } from "../../wire/constants.ts";
import type { Database } from "../base/database.ts";

const LOGGED = new Set([
  "channel.created",
  "channel.deleted",
  "channel.hidden",
  "channel.visible",
  "channel.truncated",
  "channel.updated",
  "message.new",
  "message.updated",
  "message.deleted",
  "message.undeleted",
  "reaction.new",
  "reaction.updated",
  "reaction.deleted",
  "member.added",
  "member.updated",
  "member.removed",
  "notification.added_to_channel",
  "notification.removed_from_channel",
  "thread.updated",
]);
/** How many events pass between two trims; trimming at every event would double the writes. */
const TRIM_EVERY = 1000;

export function isLogged(type: string): boolean {
  return LOGGED.has(type) || type.startsWith("poll.");
}

/** `userId`: the only recipient; undefined for all who may read the channel. `time` in whole microseconds. */
export function logEvent(
  db: Database,
  cid: string,
  userId: string | undefined,
  time: number,
  type: string,
  json: string,
): void {
  const { lastInsertRowid } = db.run(
    "INSERT INTO event_log (cid, user_id, at, type, json) VALUES (?, ?, ?, ?, ?)",
    cid,
    userId ?? null,
    time,
    type,
    json,
  );
  if (Number(lastInsertRowid) % TRIM_EVERY === 0) trimLog(db, time);
}

/** Drops events older than 30 days and all but the newest 100,000. */
export function trimLog(db: Database, now: number): void {
  db.run("DELETE FROM event_log WHERE at < ?", now - SYNC_AGE * 1000);
  db.run(
    "DELETE FROM event_log WHERE seq <= (SELECT coalesce(max(seq), 0) FROM event_log) - ?",
    EVENT_LOG_EVENTS,
  );
}

/** Events of the channels after `since` (exclusive, whole microseconds), oldest first; at most `limit`. */
export function readLog(
  db: Database,
  userId: string,
  cids: readonly string[],
  since: number,
  limit: number,
): string[] {
  return db.column<string>(
    `SELECT json FROM event_log
       WHERE cid IN (SELECT value FROM json_each(?)) AND at > ? AND (user_id IS NULL OR user_id = ?)
       ORDER BY seq LIMIT ?`,
    JSON.stringify(cids),
    since,
    userId,
    limit,
  );
}

/** The user's newest removal from a channel after `since`, as JSON. */
export function readRemoval(db: Database, userId: string, cid: string, since: number): string | undefined {
  return db.value<string>(
    `SELECT json FROM event_log WHERE cid = ? AND at > ? AND user_id = ?
     AND type = 'notification.removed_from_channel' ORDER BY seq DESC LIMIT 1`,
    cid,
    since,
    userId,
  );
}

/** The time from which the log is complete, whole microseconds; 0 when nothing was ever dropped. */
export function logCompleteFrom(db: Database): number {
  const row = db.get<{ seq: number; at: number }>("SELECT seq, at FROM event_log ORDER BY seq LIMIT 1");
  return row && row.seq > 1 ? row.at : 0;
}
