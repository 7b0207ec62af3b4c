/** The newest messages of a channel's list and of a thread, regardless of visibility. */
import type { Database } from "../../../base/database.ts";
import type { MessageRow } from "./rows.ts";

type Stamp = Pick<MessageRow, "id" | "created_at">;

/** The newest listed message, optionally up to a time. */
export function newestListed(db: Database, cid: string, upTo = Number.MAX_SAFE_INTEGER): Stamp | undefined {
  return db.get<Stamp>(
    `SELECT id, created_at FROM messages WHERE cid = ? AND listed = 1 AND created_at <= ?
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    cid,
    upTo,
  );
}

export function newestTimes(db: Database, cid: string, limit: number): number[] {
  return db.column<number>(
    "SELECT created_at FROM messages WHERE cid = ? AND listed = 1 ORDER BY created_at DESC, id DESC LIMIT ?",
    cid,
    limit,
  );
}

export function newestReply(db: Database, parentId: string): Stamp | undefined {
  return db.get<Stamp>(
    "SELECT id, created_at FROM messages WHERE parent_id = ? AND type <> 'deleted' ORDER BY created_at DESC, id DESC LIMIT 1",
    parentId,
  );
}

/** The id of the newest reply before a time, including deleted ones. */
export function replyBefore(db: Database, parentId: string, before: number): string | undefined {
  return db.value<string>(
    "SELECT id FROM messages WHERE parent_id = ? AND created_at < ? ORDER BY created_at DESC, id DESC LIMIT 1",
    parentId,
    before,
  );
}

export function newestForUser(db: Database, userId: string): MessageRow | undefined {
  return db.get<MessageRow>(
    `SELECT m.* FROM members me JOIN channels c ON c.cid = me.cid
     JOIN messages m ON m.cid = me.cid AND m.listed = 1 AND m.deleted_at IS NULL
     WHERE me.user_id = ? AND c.deleted_at IS NULL ORDER BY m.created_at DESC LIMIT 1`,
    userId,
  );
}

/** An upper bound for the number of messages ever written. */
export function lastMessageNumber(db: Database): number {
  return db.value<number>("SELECT max(rowid) FROM message_rows") ?? 0;
}

/** The time of the channel's message with `n` older ones. */
export function timeOfNth(db: Database, cid: string, n: number): number | undefined {
  return db.value<number>(
    "SELECT created_at FROM messages WHERE cid = ? ORDER BY created_at LIMIT 1 OFFSET ?",
    cid,
    n,
  );
}
