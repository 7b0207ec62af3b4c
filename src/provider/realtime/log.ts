/** The event log behind POST /sync: written in the transaction of the change, bounded in age and number. */
import { EVENT_LOG_EVENTS, SYNC_AGE } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Database } from "../base/database.ts";
import { noteCopies } from "../store/copies.ts";

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
  "user.messages.deleted",
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
  event: AnyEvent,
  json: string,
): void {
  const { lastInsertRowid } = db.run(
    "INSERT INTO event_log (cid, user_id, at, type, json) VALUES (?, ?, ?, ?, ?)",
    cid,
    userId ?? null,
    time,
    event.type,
    json,
  );
  noteCopies(db, "log", lastInsertRowid, event);
  if (Number(lastInsertRowid) % TRIM_EVERY === 0) trimLog(db, time);
}

/** Drops events older than 30 days and all but the newest 100,000. */
export function trimLog(db: Database, now: number): void {
  const oldest = now - SYNC_AGE * 1000;
  const last = (db.value<number>("SELECT max(seq) FROM event_log") ?? 0) - EVENT_LOG_EVENTS;
  const dropped = db.value<number>(
    `SELECT max(at) FROM (SELECT max(at) AS at FROM event_log WHERE at < ?1
     UNION ALL SELECT at FROM (SELECT at FROM event_log WHERE seq <= ?2 ORDER BY seq DESC LIMIT 1))`,
    oldest,
    last,
  );
  if (dropped === undefined) return;
  db.run("UPDATE log_start SET at = max(at, ?)", dropped);
  db.run("DELETE FROM event_log WHERE at < ? OR seq <= ?", oldest, last);
}

/** Not of a channel that was erased since, and whose id may belong to another one now. */
const NOT_ERASED =
  "NOT EXISTS (SELECT 1 FROM erasures e WHERE e.kind = 'channel' AND e.id = l.cid AND e.log_end >= l.seq)";

/** Events of the channels after `since` (exclusive, whole microseconds), oldest first; at most `limit`. */
export function readLog(
  db: Database,
  userId: string,
  cids: readonly string[],
  since: number,
  limit: number,
): string[] {
  return db.column<string>(
    `SELECT json FROM event_log l
       WHERE cid IN (SELECT value FROM json_each(?)) AND at > ? AND (user_id IS NULL OR user_id = ?) AND ${NOT_ERASED}
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
export const logCompleteFrom = (db: Database): number => db.value<number>("SELECT at FROM log_start") ?? 0;
