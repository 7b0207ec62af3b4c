/** Pending erasures: messages of truncated channels and of deleted users. */
import type { Database } from "../../../base/database.ts";
import { noteFreedContent } from "../../../store/erasures.ts";
import type { MessageRow } from "./rows.ts";

export interface Clearing {
  cid: string;
  upto: number;
  /** 1: the channel is erased after its messages. */
  erase: number;
}

/** Whether the channel has more than `limit` messages up to a time, including hidden ones. */
export function hasMoreMessages(db: Database, cid: string, upTo: number, limit: number): boolean {
  const beyond = "SELECT 1 FROM message_rows WHERE cid = ? AND created_at <= ? LIMIT 1 OFFSET ?";
  return db.has(beyond, cid, upTo, limit);
}

/** Messages up to a time that have reminders, or drafts as a thread or quote. */
export function messagesWithReminderOrDraft(db: Database, cid: string, upTo: number): string[] {
  return db.column<string>(
    `SELECT m.id FROM message_rows m WHERE +m.cid = ?1 AND +m.created_at <= ?2 AND m.id IN (
        SELECT message_id FROM reminders WHERE cid = ?1
        UNION SELECT parent_id FROM drafts WHERE cid = ?1 AND parent_id <> ''
        UNION SELECT quoted_id FROM drafts WHERE cid = ?1 AND quoted_id IS NOT NULL)`,
    cid,
    upTo,
  );
}

/** Hides the messages from now on. Live locations and unread threads are removed at once, because their lists do not read the messages. */
export function storeClearing(db: Database, clearing: Clearing & { at: number }): void {
  const isOld = (id: string): string =>
    `(SELECT m.created_at FROM message_rows m WHERE m.id = ${id}) <= :upto`;
  db.run(
    `DELETE FROM locations WHERE cid = :cid AND end_at IS NOT NULL AND ${isOld("message_id")}`,
    clearing,
  );
  db.run(`UPDATE threads SET unread = 0 WHERE cid = :cid AND unread > 0 AND ${isOld("parent_id")}`, clearing);
  db.run(
    `INSERT INTO clearings (cid, upto, at, erase) VALUES (:cid, :upto, :at, :erase)
     ON CONFLICT (cid, upto) DO UPDATE SET erase = max(erase, excluded.erase)`,
    clearing,
  );
}

export function firstClearingAt(db: Database): number | undefined {
  return db.value<number>("SELECT min(at) FROM clearings");
}

export function firstClearing(db: Database): Clearing | undefined {
  return db.get<Clearing>("SELECT cid, upto, erase FROM clearings ORDER BY at, cid, upto LIMIT 1");
}

export function removeClearing(db: Database, { cid, upto }: Clearing): void {
  db.run("DELETE FROM clearings WHERE cid = ? AND upto = ?", cid, upto);
}

/** The next messages to erase, oldest first; their replies before them, because replies are erased with their parents. */
export function clearingPart(
  db: Database,
  { cid, upto }: Clearing,
  limit: number,
): { ids: string[]; parents: string[] } {
  const old = db.column<string>(
    "SELECT id FROM message_rows WHERE cid = ? AND created_at <= ? ORDER BY created_at LIMIT ?",
    cid,
    upto,
    limit,
  );
  const replies = db.column<string>(
    "SELECT r.id FROM json_each(?) k CROSS JOIN message_rows r ON r.parent_id = k.value LIMIT ?",
    JSON.stringify(old),
    limit,
  );
  return { ids: replies.length > 0 ? replies : old, parents: old };
}

/** Removes threads before their replies, so that no newest reply has to be found again for each deleted one. */
export function removeThreadsUnder(db: Database, parents: readonly string[]): void {
  for (const table of ["threads", "thread_heads"] as const)
    db.run(
      `DELETE FROM ${table} WHERE parent_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(parents),
    );
}

/** Deletes the rows with everything attached to them; those newer than the clearing are subtracted from the channel's count. */
export function removeMessages(db: Database, { cid, upto }: Clearing, ids: readonly string[]): void {
  const list = JSON.stringify(ids);
  for (const table of ["reactions", "locations", "reminders"] as const)
    db.run(`DELETE FROM ${table} WHERE message_id IN (SELECT value FROM json_each(?))`, list);
  db.run(
    "DELETE FROM deleted_for_me WHERE cid = ? AND message_id IN (SELECT value FROM json_each(?))",
    cid,
    list,
  );
  const newerCount = db.value<number>(
    "SELECT count(*) FROM json_each(?) k CROSS JOIN message_rows m ON m.id = k.value AND +m.created_at > ?",
    list,
    upto,
  )!;
  if (newerCount > 0)
    db.run("UPDATE channels SET message_count = max(0, message_count - ?) WHERE cid = ?", newerCount, cid);
  db.run("DELETE FROM message_rows WHERE id IN (SELECT value FROM json_each(?))", list);
}

export type DeletionKind = "soft" | "pruning" | "hard";

/** `cid` is `""` for all channels. */
interface UserClearing {
  user_id: string;
  cid: string;
  how: DeletionKind;
  at: number;
}

export function insertUserClearing(db: Database, clearing: UserClearing): void {
  db.run(
    "INSERT OR IGNORE INTO user_clearings (user_id, cid, how, at) VALUES (:user_id, :cid, :how, :at)",
    clearing,
  );
}

export function firstUserClearingAt(db: Database): number | undefined {
  return db.value<number>("SELECT min(at) FROM user_clearings");
}

export function firstUserClearing(db: Database): UserClearing | undefined {
  return db.get<UserClearing>("SELECT * FROM user_clearings ORDER BY at, user_id LIMIT 1");
}

export function removeUserClearing(db: Database, { user_id, cid, how }: UserClearing): void {
  db.run("DELETE FROM user_clearings WHERE user_id = ? AND cid = ? AND how = ?", user_id, cid, how);
}

/** Condition for the messages of a user that are not yet deleted in this way. */
const NOT_YET_DELETED: Readonly<Record<DeletionKind, string>> = {
  soft: "type <> 'deleted'",
  pruning: "(type <> 'deleted' OR text <> '' OR data <> '{}' OR reactions IS NOT NULL)",
  hard: "1",
};

/** A user's remaining messages, oldest first, in every channel or in one. */
export function remainingMessages(
  db: Database,
  userId: string,
  how: DeletionKind,
  cid: string | undefined,
  limit: number,
): MessageRow[] {
  return db.all<MessageRow>(
    `SELECT * FROM messages WHERE user_id = :userId AND ${NOT_YET_DELETED[how]} ${cid === undefined ? "" : "AND cid = :cid"}
     ORDER BY created_at LIMIT :limit`,
    { userId, cid, limit },
  );
}

/** Whether the user wrote more than `limit` messages. */
export function userHasMoreMessages(db: Database, userId: string, limit: number): boolean {
  return db.has("SELECT 1 FROM messages WHERE user_id = ? LIMIT 1 OFFSET ?", userId, limit);
}

/** Removes the text, data and reactions of a message and keeps the empty row. */
export function pruneMessage(db: Database, id: string): void {
  noteFreedContent(db);
  db.run("DELETE FROM reactions WHERE message_id = ?", id);
  db.run("DELETE FROM message_history WHERE message_id = ?", id);
  db.run("DELETE FROM flags WHERE message_id = ?1 AND message_id <> ''", id);
  db.run("DELETE FROM flag_reports WHERE message_id = ?", id);
  db.run(
    "UPDATE message_rows SET text = '', data = '{}', reactions = NULL, quoted_id = NULL, poll_id = NULL WHERE id = ?",
    id,
  );
}
