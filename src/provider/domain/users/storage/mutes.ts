/** Stored mutes of users. */
import type { Database } from "../../../base/database.ts";

/** `expires` is null for a mute without end. */
export interface MuteRow {
  user_id: string;
  created_at: number;
  updated_at: number;
  expires: number | null;
}

export interface UserMuteRow extends MuteRow {
  target_id: string;
}

/** Current mutes of these users, oldest first. */
export function userMuteRows(db: Database, userIds: readonly string[], now: number): UserMuteRow[] {
  return db.all<UserMuteRow>(
    `SELECT * FROM user_mutes WHERE user_id IN (SELECT value FROM json_each(?)) AND (expires IS NULL OR expires > ?)
     ORDER BY created_at, target_id`,
    JSON.stringify(userIds),
    now,
  );
}

/** Inserts a mute; muting again renews both times. */
export function storeMute(db: Database, mute: Omit<UserMuteRow, "created_at">): void {
  db.run(
    `INSERT INTO user_mutes (user_id, target_id, created_at, updated_at, expires)
     VALUES (:user_id, :target_id, :updated_at, :updated_at, :expires)
     ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, expires = excluded.expires`,
    mute,
  );
}

/** False when there was none. */
export function removeMute(db: Database, userId: string, targetId: string): boolean {
  return db.run("DELETE FROM user_mutes WHERE user_id = ? AND target_id = ?", userId, targetId).changes > 0;
}

export function nextMuteEnd(db: Database): number | undefined {
  return db.value<number>("SELECT min(expires) FROM user_mutes WHERE expires IS NOT NULL");
}

export function firstExpiredMute(db: Database, now: number): string | undefined {
  return db.value<string>(
    "SELECT user_id FROM user_mutes WHERE expires IS NOT NULL AND expires <= ? ORDER BY expires LIMIT 1",
    now,
  );
}

export function removeExpiredMutes(db: Database, userId: string, now: number): void {
  db.run("DELETE FROM user_mutes WHERE user_id = ? AND expires <= ?", userId, now);
}
