/** Erasing very many messages of a channel: nobody sees them from the first moment on, their rows go in steps. */
import type { RouteCall } from "../../../base/handler.ts";
import type { Due, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../store/database.ts";
import { eraseRest } from "../../channels/storage/erase.ts";
import { beforeErasing } from "./erased.ts";
import { bury } from "../storage/tombstones.ts";

/** Up to this many messages are erased in the call itself. */
const FEW = 300;
/** Messages of one step: a few hundredths of a second. */
const PART = 200;

export function holdsMany(db: Database, cid: string, upTo: number): boolean {
  const beyond = "SELECT 1 FROM message_rows WHERE cid = ? AND created_at <= ? LIMIT 1 OFFSET ?";
  return db.get(beyond, cid, upTo, FEW) !== undefined;
}

/**
 * From now on the channel's messages up to this moment are gone for everybody. What lists show without asking for the
 * message goes at once, from its own side: there is little of it.
 */
export function clearLater(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  cid: string,
  upTo: number,
  now: number,
  channelToo = false,
): void {
  const { db } = call;
  const kept = db.all<{ id: string }>(
    `SELECT m.id FROM message_rows m WHERE +m.cid = ?1 AND +m.created_at <= ?2 AND m.id IN (
      SELECT message_id FROM reminders WHERE cid = ?1
      UNION SELECT parent_id FROM drafts WHERE cid = ?1 AND parent_id <> ''
      UNION SELECT quoted_id FROM drafts WHERE cid = ?1 AND quoted_id IS NOT NULL)`,
    cid,
    upTo,
  );
  beforeErasing(
    call,
    kept.map(({ id }) => id),
  );
  const isOld = (id: string): string => `(SELECT m.created_at FROM message_rows m WHERE m.id = ${id}) <= ?2`;
  db.run(`DELETE FROM locations WHERE cid = ?1 AND end_at IS NOT NULL AND ${isOld("message_id")}`, cid, upTo);
  db.run(`UPDATE threads SET unread = 0 WHERE cid = ?1 AND unread > 0 AND ${isOld("parent_id")}`, cid, upTo);
  db.run(
    `INSERT INTO clearings (cid, upto, at, erase) VALUES (?, ?, ?, ?)
     ON CONFLICT (cid, upto) DO UPDATE SET erase = max(erase, excluded.erase)`,
    cid,
    upTo,
    now,
    Number(channelToo),
  );
}

/**
 * A channel is made again over very many messages that it left behind: they go later. The search index knows them by
 * the channel's number, so the new one gets it, and its messages are newer than theirs.
 */
export function leaveBehind(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  cid: string,
  now: number,
): { no: number; stamp: number } | undefined {
  const { db } = call;
  const row = db.get<{ no: number; last_stamp: number }>(
    "SELECT rowid AS no, last_stamp FROM channels WHERE cid = ?",
    cid,
  );
  if (!row || !holdsMany(db, cid, Number.MAX_SAFE_INTEGER)) return undefined;
  const stamp = Math.max(now, row.last_stamp);
  clearLater(call, cid, stamp, now);
  eraseRest(db, cid);
  return { no: row.no, stamp };
}

interface Clearing {
  cid: string;
  upto: number;
  erase: number;
}

/** The oldest that are left; their replies before them, because those go with their parents. */
function partOf(db: Database, { cid, upto }: Clearing): { ids: string[]; parents: string[] } {
  const old = db
    .all<{ id: string }>(
      `SELECT id FROM message_rows WHERE cid = ? AND created_at <= ? ORDER BY created_at LIMIT ${PART}`,
      cid,
      upto,
    )
    .map(({ id }) => id);
  const replies = db.all<{ id: string }>(
    `SELECT r.id FROM json_each(?) k CROSS JOIN message_rows r ON r.parent_id = k.value LIMIT ${PART}`,
    JSON.stringify(old),
  );
  return { ids: replies.length > 0 ? replies.map(({ id }) => id) : old, parents: old };
}

function eraseSome(due: Due, one: Clearing, { ids, parents }: { ids: string[]; parents: string[] }): void {
  const { db } = due;
  const list = JSON.stringify(ids);
  beforeErasing(due, ids);
  // first, so that no reply that goes has to look for the newest of those that are left
  for (const table of ["threads", "thread_heads"] as const)
    db.run(
      `DELETE FROM ${table} WHERE parent_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(parents),
    );
  bury(db, one.cid, { ids: list }, due.now());
  for (const table of ["reactions", "locations", "reminders"] as const)
    db.run(`DELETE FROM ${table} WHERE message_id IN (SELECT value FROM json_each(?))`, list);
  db.run(
    "DELETE FROM deleted_for_me WHERE cid = ? AND message_id IN (SELECT value FROM json_each(?))",
    one.cid,
    list,
  );
  const late = db.get<{ n: number }>(
    "SELECT count(*) AS n FROM json_each(?) k CROSS JOIN message_rows m ON m.id = k.value AND +m.created_at > ?",
    list,
    one.upto,
  )!;
  if (late.n > 0)
    db.run("UPDATE channels SET message_count = max(0, message_count - ?) WHERE cid = ?", late.n, one.cid);
  db.run("DELETE FROM message_rows WHERE id IN (SELECT value FROM json_each(?))", list);
}

/** One part a step; a restart goes on where it was, because what is left is read from the rows themselves. */
export const clearingWork: DueWork = {
  name: "messages of truncated channels",
  next: (db) => db.get<{ at: number | null }>("SELECT min(at) AS at FROM clearings")?.at ?? undefined,
  run(due) {
    const { db } = due;
    const one = db.get<Clearing>("SELECT cid, upto, erase FROM clearings ORDER BY at, cid, upto LIMIT 1");
    if (!one) return;
    const part = partOf(db, one);
    if (part.ids.length > 0) eraseSome(due, one, part);
    else {
      const gone = db.get("SELECT 1 FROM channels WHERE cid = ? AND deleted_at IS NOT NULL", one.cid);
      if (one.erase === 1 && gone) eraseRest(db, one.cid);
      db.run("DELETE FROM clearings WHERE cid = ? AND upto = ?", one.cid, one.upto);
    }
  },
};
