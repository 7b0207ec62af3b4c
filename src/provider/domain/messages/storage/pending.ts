/** Stored pending messages, in a separate table. */
import type { Database } from "../../../base/database.ts";
import { findMessage } from "./rows.ts";
import type { NewMessage, StoredNewMessage } from "./new-message.ts";

export type Metadata = Record<string, string>;

export interface PendingRow {
  id: string;
  cid: string;
  user_id: string;
  created_at: number;
  message: string;
  metadata: string | null;
}

export const findPending = (db: Database, id: string): PendingRow | undefined =>
  db.get<PendingRow>("SELECT * FROM pending_messages WHERE id = ?", id);
/** An author's pending messages in one channel, newest first. */
export function pendingRows(db: Database, cid: string, userId: string, limit: number): PendingRow[] {
  return db.all<PendingRow>(
    "SELECT * FROM pending_messages WHERE cid = ? AND user_id = ? ORDER BY created_at DESC LIMIT ?",
    cid,
    userId,
    limit,
  );
}

export function insertPending(db: Database, row: PendingRow): void {
  db.run(
    `INSERT INTO pending_messages (id, cid, user_id, created_at, message, metadata)
     VALUES (:id, :cid, :user_id, :created_at, :message, :metadata)`,
    row,
  );
}

export function removePending(db: Database, id: string): void {
  db.run("DELETE FROM pending_messages WHERE id = ?", id);
}

/** Removes an author's pending messages in all channels or in one. */
export function removePendingOf(db: Database, userId: string, cid: string | undefined): void {
  db.run("DELETE FROM pending_messages WHERE user_id = ?1 AND (?2 IS NULL OR cid = ?2)", userId, cid ?? null);
}

export function pendingMessage(row: PendingRow, db: Database): NewMessage {
  const { parentId, ...message } = JSON.parse(row.message) as StoredNewMessage;
  const parent = parentId === undefined ? undefined : findMessage(db, parentId);
  return parent ? { ...message, parent } : message;
}

export const metadataOf = (row: PendingRow): { metadata?: Metadata } =>
  row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata };
