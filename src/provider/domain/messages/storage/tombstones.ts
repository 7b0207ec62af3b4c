/** Ids of erased messages, so that a late repeat of a send does not store one again (D2, specification/sending.md §2). */
import { EVENT_LOG_EVENTS, SYNC_AGE } from "../../../../wire/constants.ts";
import type { Database } from "../../../base/database.ts";

const TRIM_EVERY = 1000;

/** An erased message; times are whole microseconds. */
interface Tombstone {
  id: string;
  cid: string;
  created_at: number;
  deleted_at: number;
}

/** Records messages of a channel that are about to be erased; call it before the rows are deleted. */
export function addTombstone(
  db: Database,
  cid: string,
  which: { id: string } | { ids: string } | { upTo: number },
  now: number,
): void {
  // CROSS JOIN makes the planner start at the ids: the index of the channel would lead through all its messages.
  const [from, value] =
    "upTo" in which
      ? ["message_rows m WHERE m.cid = ?1 AND m.created_at <= ?3", which.upTo]
      : [
          "json_each(?3) k CROSS JOIN message_rows m ON m.id = k.value AND m.cid = ?1",
          "id" in which ? JSON.stringify([which.id]) : which.ids,
        ];
  const { lastInsertRowid } = db.run(
    `INSERT OR REPLACE INTO tombstones (id, cid, created_at, deleted_at) SELECT m.id, m.cid, m.created_at, ?2 FROM ${from}`,
    cid,
    now,
    value!,
  );
  if (!("id" in which) || Number(lastInsertRowid) % TRIM_EVERY === 0) trimTombstones(db, now);
}

/** Keeps the same bounds as the event log: 30 days, and the newest 100,000. */
export function trimTombstones(db: Database, now: number): void {
  db.run("DELETE FROM tombstones WHERE deleted_at < ?", now - SYNC_AGE * 1000);
  db.run(
    "DELETE FROM tombstones WHERE seq <= (SELECT coalesce(max(seq), 0) FROM tombstones) - ?",
    EVENT_LOG_EVENTS,
  );
}

/** The tombstone of an id. Messages of a truncated channel count as erased, even while their rows still exist. */
export function findTombstone(db: Database, id: string): Tombstone | undefined {
  return db.get<Tombstone>(
    `SELECT id, cid, created_at, deleted_at FROM tombstones WHERE id = ?1 UNION ALL
     SELECT m.id, m.cid, m.created_at, g.at FROM message_rows m JOIN clearings g ON g.cid = m.cid AND m.created_at <= g.upto
     WHERE m.id = ?1`,
    id,
  );
}

/** Whether a stored, pending or erased message has this id. */
export function isTaken(db: Database, id: string): boolean {
  return db.has(
    `SELECT 1 FROM message_rows WHERE id = ?1 UNION ALL SELECT 1 FROM tombstones WHERE id = ?1
     UNION ALL SELECT 1 FROM pending_messages WHERE id = ?1`,
    id,
  );
}
