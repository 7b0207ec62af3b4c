/** The queue of deletions whose copies are still to be emptied (specification/embedded-provider.md §5). */
import type { Database } from "../base/database.ts";
import { PLACES, type Copy, type Place } from "./copies.ts";

/** Messages and polls are queued by triggers on their tables. `upgrade`: what an older version left behind. */
type ErasureKind = "message" | "poll" | "channel" | "user" | "upgrade";

export interface Erasure {
  kind: ErasureKind;
  id: string;
  log_end: number;
  hook_end: number;
  answer_end: number;
  /** How many rows of all places together a step over whole tables has read. */
  done: number;
}

/** Queues the copies that exist now: rows written later are about what has the id then. */
export function queueErasure(db: Database, kind: ErasureKind, id: string): void {
  const last = (table: string): string => `(SELECT coalesce(max(seq), 0) FROM ${table})`;
  db.run(
    `INSERT INTO erasures (kind, id, log_end, hook_end, answer_end)
     VALUES (?, ?, ${last("event_log")}, ${last("hook_queue")}, ${last("done_once")})
     ON CONFLICT (kind, id) DO UPDATE SET log_end = excluded.log_end, hook_end = excluded.hook_end,
     answer_end = excluded.answer_end, done = 0`,
    kind,
    id,
  );
  noteFreedContent(db);
}

/** Extends a queued deletion to the copies that exist now: events of its own transaction may be stored after it was queued. */
export function extendErasure(db: Database, erasure: Erasure): Erasure {
  queueErasure(db, erasure.kind, erasure.id);
  return db.get<Erasure>("SELECT * FROM erasures WHERE kind = ? AND id = ?", erasure.kind, erasure.id)!;
}

export const nextErasure = (db: Database): Erasure | undefined =>
  db.get<Erasure>("SELECT * FROM erasures ORDER BY kind = 'upgrade', seq LIMIT 1");

export const isErasing = (db: Database): boolean => db.has("SELECT 1 FROM erasures LIMIT 1");

export const isQueued = (db: Database, kind: ErasureKind, id: string): boolean =>
  db.has("SELECT 1 FROM erasures WHERE kind = ? AND id = ?", kind, id);

export function finishErasure(db: Database, { kind, id }: Erasure): void {
  db.run("DELETE FROM erasures WHERE kind = ? AND id = ?", kind, id);
  noteFreedContent(db);
}

export function recordProgress(db: Database, { kind, id }: Erasure, done: number): void {
  db.run("UPDATE erasures SET done = ? WHERE kind = ? AND id = ?", done, kind, id);
}

/** Removes at most `limit` logged events of an erased channel's time; how somebody left it stays for who was away. */
export function removeLogOf(db: Database, { id, log_end }: Erasure, limit: number): number {
  const { changes } = db.run(
    `DELETE FROM event_log WHERE seq IN (SELECT seq FROM event_log
     WHERE cid = ? AND seq <= ? AND type <> 'notification.removed_from_channel' ORDER BY at LIMIT ?)`,
    id,
    log_end,
    limit,
  );
  return Number(changes);
}

/** Logged removals from an erased channel that still contain more than its id. */
export const removalsOf = (db: Database, { id, log_end }: Erasure): { seq: number; json: string }[] =>
  db.all(
    `SELECT seq, json FROM event_log WHERE cid = ? AND seq <= ? AND type = 'notification.removed_from_channel'`,
    id,
    log_end,
  );

/** The next `limit` rows of all places in the order log, webhooks, answers; `next` undefined after the last. */
export function rowsFrom(
  db: Database,
  erasure: Erasure,
  limit: number,
): { rows: (Omit<Copy, "subject"> & { owner?: string })[]; next: number | undefined } {
  const ends: [Place, number][] = [
    ["log", erasure.log_end],
    ["hook", erasure.hook_end],
    ["answer", erasure.answer_end],
  ];
  let before = 0;
  for (const [place, end] of ends) {
    const from = erasure.done - before;
    before += end;
    if (from >= end) continue;
    const { table, column } = PLACES[place];
    const owner = place === "answer" ? "user_id" : "NULL";
    const rows = db.all<{ seq: number; json: string; owner: string | null }>(
      `SELECT seq, ${column} AS json, ${owner} AS owner FROM ${table} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      from,
      end,
      limit,
    );
    const read = rows.length < limit ? end : rows.at(-1)!.seq;
    return {
      rows: rows.map(({ owner: userId, ...row }) => ({ ...row, place, ...(userId && { owner: userId }) })),
      next: before - end + read,
    };
  }
  return { rows: [], next: undefined };
}

/** Freed bytes stay in the write-ahead log until it is emptied. */
export function noteFreedContent(db: Database): void {
  db.run("INSERT OR IGNORE INTO freed_content (one) VALUES (1)");
}

export const hasFreedContent = (db: Database): boolean => db.has("SELECT 1 FROM freed_content");

export function forgetFreedContent(db: Database): void {
  db.run("DELETE FROM freed_content");
}
