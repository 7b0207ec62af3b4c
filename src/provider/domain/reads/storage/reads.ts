/** Up to where users have read and received channels, as it is stored. */
import type { Database } from "../../../store/database.ts";
import type { ChannelRow, ReadRow } from "../../channels/storage/rows.ts";

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

/** Channels in which the user has something unread. */
export function unreadCids(db: Database, userId: string): string[] {
  return db
    .all<{ cid: string }>("SELECT cid FROM reads WHERE user_id = ? AND unread > 0", userId)
    .map(({ cid }) => cid);
}

/** The same with their read states, the latest active ones first. */
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
