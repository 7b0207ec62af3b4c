/** Changes of stored channels, and which channels they concern. */
import type { Database } from "../../../store/database.ts";

const cids = (rows: { cid: string }[]): string[] => rows.map(({ cid }) => cid);

/** Channels that are there and that the user made. */
export const cidsMadeBy = (db: Database, userId: string): string[] =>
  cids(db.all("SELECT cid FROM channels WHERE created_by = ? AND deleted_at IS NULL", userId));

/** Channels of the user that were deleted softly at one moment. */
export const cidsDeletedAt = (db: Database, userId: string, at: number): string[] =>
  cids(db.all("SELECT cid FROM channels WHERE created_by = ? AND deleted_at = ?", userId, at));

export function restoreChannel(db: Database, cid: string, now: number): void {
  db.run("UPDATE channels SET deleted_at = NULL, updated_at = ? WHERE cid = ?", now, cid);
}
