/** Stored read and delivery states of users in channels. */
import type { Database } from "../../../base/database.ts";
import type { ChannelRow, ReadRow } from "../../channels/storage/rows.ts";
import type { UserRow } from "../../users/storage/rows.ts";

export function setRead(
  db: Database,
  row: Pick<ReadRow, "cid" | "user_id" | "unread" | "last_read" | "last_read_id">,
): void {
  db.run(
    `UPDATE reads SET unread = :unread, last_read = :last_read, last_read_id = :last_read_id
     WHERE cid = :cid AND user_id = :user_id`,
    row,
  );
}

export function setDelivered(
  db: Database,
  row: Pick<ReadRow, "cid" | "user_id" | "delivered_at" | "delivered_id">,
): void {
  db.run(
    `UPDATE reads SET delivered_at = :delivered_at, delivered_id = :delivered_id
     WHERE cid = :cid AND user_id = :user_id`,
    row,
  );
}

export function unreadCids(db: Database, userId: string): string[] {
  return db.column<string>("SELECT cid FROM reads WHERE user_id = ? AND unread > 0", userId);
}

/** The same channels with their read states, latest active first. */
export function unreadChannels(
  db: Database,
  userId: string,
  limit: number,
): (ReadRow & Pick<ChannelRow, "type">)[] {
  return db.all(
    `SELECT r.*, c.type FROM reads r JOIN channels c ON c.cid = r.cid
     WHERE r.user_id = ? AND r.unread > 0 AND c.deleted_at IS NULL ORDER BY c.last_message_at DESC, c.cid LIMIT ?`,
    userId,
    limit,
  );
}

export function setUnread(db: Database, cid: string, userId: string, unread: number): void {
  db.run("UPDATE reads SET unread = ? WHERE cid = ? AND user_id = ?", unread, cid, userId);
}

/** Inserts a read state without unread messages. */
export function insertRead(db: Database, cid: string, userId: string, lastRead: number): void {
  db.run("INSERT INTO reads (cid, user_id, unread, last_read) VALUES (?, ?, 0, ?)", cid, userId, lastRead);
}

/** Moves the read state without setting a last read message. */
export function moveRead(db: Database, row: Pick<ReadRow, "cid" | "user_id" | "unread" | "last_read">): void {
  db.run(
    "UPDATE reads SET unread = :unread, last_read = :last_read WHERE cid = :cid AND user_id = :user_id",
    row,
  );
}

export function removeRead(db: Database, cid: string, userId: string): void {
  db.run("DELETE FROM reads WHERE cid = ? AND user_id = ?", cid, userId);
}

/** Read states of a channel with the privacy of their users, by user id. */
export function readsOfChannel(
  db: Database,
  cid: string,
  limit: number,
): (ReadRow & Pick<UserRow, "privacy">)[] {
  return db.all(
    `SELECT r.*, u.privacy FROM reads r JOIN users u ON u.id = r.user_id WHERE r.cid = ? ORDER BY r.user_id LIMIT ?`,
    cid,
    limit,
  );
}
