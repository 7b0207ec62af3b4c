/** Erases channels and their messages: for hard deletion, truncation, and creating a deleted channel again. */
import type { Database } from "../../../base/database.ts";
import { queueErasure } from "../../../store/erasures.ts";
import { addTombstone } from "../../messages/storage/tombstones.ts";

const MESSAGE_TABLES = ["reactions", "locations", "reminders"] as const;

/** Erases messages up to and including a time, with their reactions, locations and threads; their ids stay taken. */
export function eraseMessages(db: Database, cid: string, upTo: number, now: number): void {
  addTombstone(db, cid, { upTo }, now);
  for (const table of MESSAGE_TABLES)
    db.run(
      `DELETE FROM ${table} WHERE message_id IN (SELECT id FROM messages WHERE cid = ? AND created_at <= ?)`,
      cid,
      upTo,
    );
  // A thread is erased with its parent, even if some replies are newer.
  db.run(
    "DELETE FROM threads WHERE cid = ?1 AND parent_id IN (SELECT id FROM messages WHERE cid = ?1 AND created_at <= ?2)",
    cid,
    upTo,
  );
  db.run(
    `DELETE FROM deleted_for_me WHERE cid = ?1 AND message_id IN
     (SELECT id FROM messages WHERE cid = ?1 AND created_at <= ?2)`,
    cid,
    upTo,
  );
  db.run(
    `DELETE FROM message_rows WHERE cid = ?1 AND parent_id IN (SELECT id FROM messages WHERE cid = ?1 AND created_at <= ?2)`,
    cid,
    upTo,
  );
  db.run("DELETE FROM message_rows WHERE cid = ? AND created_at <= ?", cid, upTo);
}

export function eraseChannel(db: Database, cid: string, now: number): void {
  if (!db.has("SELECT 1 FROM channels WHERE cid = ?", cid)) return;
  eraseMessages(db, cid, Number.MAX_SAFE_INTEGER, now);
  eraseChannelRows(db, cid);
}

/** The channel and all its rows except messages; whoever creates it again finds nothing of it. */
export function eraseChannelRows(db: Database, cid: string): void {
  queueErasure(db, "channel", cid);
  for (const table of [
    "members",
    "reads",
    "channel_mutes",
    "threads",
    "deleted_for_me",
    "channel_push",
    "drafts",
    "reminders",
    "channels",
  ] as const)
    db.run(`DELETE FROM ${table} WHERE cid = ?`, cid);
}
