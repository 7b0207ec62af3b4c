/** Bans that apply to channels their banning user creates later (specification/moderation.md §2, `ban_from_future_channels`). */
import type { Database } from "../../../base/database.ts";
import type { BanRow } from "./ban-rows.ts";

export type FutureBanRow = Omit<BanRow, "cid">;

export function putFutureBan(db: Database, ban: FutureBanRow): void {
  db.run(
    `INSERT INTO future_bans (banned_by, target_id, reason, shadow, created_at, expires)
     VALUES (:banned_by, :target_id, :reason, :shadow, :created_at, :expires)
     ON CONFLICT DO UPDATE SET reason = excluded.reason, shadow = excluded.shadow, created_at = excluded.created_at,
       expires = excluded.expires`,
    ban,
  );
}

export function removeExpiredFutureBans(db: Database, now: number): void {
  db.run("DELETE FROM future_bans WHERE expires <= ?", now);
}

/** Removes the future bans of a target, by one banning user or by all. */
export function dropFutureBans(db: Database, target: string, by: string | undefined): void {
  if (by === undefined) db.run("DELETE FROM future_bans WHERE target_id = ?", target);
  else db.run("DELETE FROM future_bans WHERE target_id = ? AND banned_by = ?", target, by);
}

export function hasFutureBan(db: Database, by: string, target: string): boolean {
  return db.has("SELECT 1 FROM future_bans WHERE banned_by = ? AND target_id = ?", by, target);
}
