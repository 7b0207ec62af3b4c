/** Members as they are stored: who is one where, and the changes of their rows. */
import type { Database } from "../../../store/database.ts";

export function memberIds(db: Database, cid: string): string[] {
  return db
    .all<{ user_id: string }>("SELECT user_id FROM members WHERE cid = ?", cid)
    .map(({ user_id }) => user_id);
}

const cids = (rows: { cid: string }[]): string[] => rows.map(({ cid }) => cid);

/** Channels that the user is a member of. */
export const cidsOfMember = (db: Database, userId: string): string[] =>
  cids(db.all("SELECT cid FROM members WHERE user_id = ?", userId));

/** Channels that are there with the user and one more. */
export const cidsOfTwo = (db: Database, userId: string): string[] =>
  cids(
    db.all(
      `SELECT c.cid FROM members m JOIN channels c ON c.cid = m.cid
       WHERE m.user_id = ? AND c.member_count = 2 AND c.deleted_at IS NULL`,
      userId,
    ),
  );

/** Channels that the user has hidden, the latest first. */
export const hiddenCids = (db: Database, userId: string, limit: number): string[] =>
  cids(
    db.all(
      "SELECT cid FROM members WHERE user_id = ? AND hidden_at IS NOT NULL ORDER BY hidden_at DESC LIMIT ?",
      userId,
      limit,
    ),
  );

export function removeMember(db: Database, cid: string, userId: string): void {
  db.run("DELETE FROM members WHERE cid = ? AND user_id = ?", cid, userId);
}
