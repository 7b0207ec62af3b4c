/** Stored blocks: who has blocked whom. */
import type { Database } from "../../../base/database.ts";

interface BlockRow {
  user_id: string;
  blocked_id: string;
  created_at: number;
}

/** Oldest first. */
export function blocksOf(db: Database, userId: string): BlockRow[] {
  return db.all<BlockRow>("SELECT * FROM blocks WHERE user_id = ? ORDER BY created_at, blocked_id", userId);
}

export function findBlock(db: Database, userId: string, blockedId: string): BlockRow | undefined {
  return db.get<BlockRow>("SELECT * FROM blocks WHERE user_id = ? AND blocked_id = ?", userId, blockedId);
}

/** False when there was one already. */
export function insertBlock(db: Database, userId: string, blockedId: string, now: number): boolean {
  return (
    db.run(
      "INSERT INTO blocks (user_id, blocked_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      userId,
      blockedId,
      now,
    ).changes > 0
  );
}

/** False when there was none. */
export function removeBlock(db: Database, userId: string, blockedId: string): boolean {
  return db.run("DELETE FROM blocks WHERE user_id = ? AND blocked_id = ?", userId, blockedId).changes > 0;
}

/** The ids that each user has blocked, oldest first. */
export function blockedBy(db: Database, userIds: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { user_id, blocked_id } of db.all<BlockRow>(
    `SELECT user_id, blocked_id FROM blocks WHERE user_id IN (SELECT value FROM json_each(?))
     ORDER BY user_id, created_at, blocked_id`,
    JSON.stringify(userIds),
  ))
    found.set(user_id, [...(found.get(user_id) ?? []), blocked_id]);
  return found;
}
