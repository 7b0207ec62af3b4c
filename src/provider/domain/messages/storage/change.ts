/** Updates of stored messages. */
import type { Database } from "../../../base/database.ts";
import type { MessageRow } from "./rows.ts";

export function touchMessage(db: Database, id: string, updatedAt: number): void {
  db.run("UPDATE message_rows SET updated_at = ? WHERE id = ?", updatedAt, id);
}

/** Adds `replies` and `deletedReplies` to the reply counts of a message. */
export function moveReplyCounts(db: Database, id: string, replies: number, deletedReplies: number): void {
  db.run(
    "UPDATE message_rows SET reply_count = reply_count + ?, deleted_reply_count = deleted_reply_count + ? WHERE id = ?",
    replies,
    deletedReplies,
    id,
  );
}

/** `data`: JSON. */
export function setMessageData(db: Database, id: string, data: string, updatedAt: number): void {
  db.run("UPDATE message_rows SET data = ?, updated_at = ? WHERE id = ?", data, updatedAt, id);
}

/** Marks a message as deleted: its text is kept, but it no longer counts as unread and loses its pin. */
export function markMessageDeleted(db: Database, id: string, deletedAt: number): void {
  db.run(
    `UPDATE message_rows SET was = type, type = 'deleted', counts = 0, deleted_at = ?1, updated_at = ?1, pinned_at = NULL,
     pin_expires = NULL, pinned_by = NULL WHERE id = ?2`,
    deletedAt,
    id,
  );
}

export function restoreMessage(db: Database, id: string, type: MessageRow["type"], updatedAt: number): void {
  db.run(
    "UPDATE message_rows SET type = ?, was = NULL, deleted_at = NULL, updated_at = ? WHERE id = ?",
    type,
    updatedAt,
    id,
  );
}

/** Moves an undeleted reply from the count of deleted replies to the count of living ones. */
export function countReplyAgain(db: Database, id: string): void {
  db.run(
    "UPDATE message_rows SET reply_count = reply_count + 1, deleted_reply_count = max(0, deleted_reply_count - 1) WHERE id = ?",
    id,
  );
}

/** Shadows a message: from now on only its author sees it. */
export function setShadowed(db: Database, id: string): void {
  db.run("UPDATE message_rows SET shadowed = 1, restricted = '[]', counts = 0 WHERE id = ?", id);
}

export function insertMessage(db: Database, row: MessageRow): void {
  db.run(
    `INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, parent_id, quoted_id,
     poll_id, text, silent, restricted, shadowed, uncounted, pinned_at, pin_expires, pinned_by, has_location, data)
     VALUES (:id, :cid, :created_at, :updated_at, :user_id, :type, :listed, :counts, :parent_id, :quoted_id,
     :poll_id, :text, :silent, :restricted, :shadowed, :uncounted, :pinned_at, :pin_expires, :pinned_by,
     :has_location, :data)`,
    row,
  );
}

/** Writes the columns that an update may change. */
export function storeMessageRow(db: Database, row: MessageRow): void {
  db.run(
    `UPDATE message_rows SET text = :text, data = :data, quoted_id = :quoted_id, poll_id = :poll_id,
     updated_at = :updated_at, text_updated_at = :text_updated_at, pinned_at = :pinned_at, pin_expires = :pin_expires,
     pinned_by = :pinned_by, silent = :silent WHERE id = :id`,
    row,
  );
}

/** Deletes the row with its reactions, its location and the "deleted for me" marks. */
export function removeMessage(db: Database, id: string): void {
  for (const table of ["reactions", "locations", "deleted_for_me"] as const)
    db.run(`DELETE FROM ${table} WHERE message_id = ?`, id);
  db.run("DELETE FROM message_rows WHERE id = ?", id);
}
