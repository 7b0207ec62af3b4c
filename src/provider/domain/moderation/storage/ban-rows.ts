/** Stored bans, and who is banned where. */
import type { Database } from "../../../base/database.ts";

/** `cid` of a ban in the whole app. */
export const EVERYWHERE = "";

export interface BanRow {
  target_id: string;
  cid: string;
  banned_by: string;
  reason: string | null;
  shadow: number;
  created_at: number;
  expires: number | null;
}

/** The current ban in one channel, or in the whole app; an expired one counts as none. */
export function banIn(db: Database, userId: string, cid: string, now: number): BanRow | undefined {
  return db.get<BanRow>(
    "SELECT * FROM bans WHERE target_id = ? AND cid = ? AND (expires IS NULL OR expires > ?)",
    userId,
    cid,
    now,
  );
}

/** Whether a shadow ban of the channel or the app hides what the user writes there (specification/moderation.md §2.1). */
export function isShadowBanned(db: Database, userId: string, cid: string, now: number): boolean {
  return db.has(
    "SELECT 1 FROM bans WHERE target_id = ? AND cid IN ('', ?) AND shadow = 1 AND (expires IS NULL OR expires > ?)",
    userId,
    cid,
    now,
  );
}

/** The ban of a non-member, even an expired one; shadow bans are left out. */
export function banOfNonMember(
  db: Database,
  userId: string,
  cid: string,
): { expires: number | null } | undefined {
  return db.get<{ expires: number | null }>(
    "SELECT expires FROM bans WHERE target_id = ? AND cid = ? AND shadow = 0",
    userId,
    cid,
  );
}

export function storeBan(db: Database, ban: BanRow): void {
  db.run(
    `INSERT INTO bans (target_id, cid, banned_by, reason, shadow, created_at, expires)
     VALUES (:target_id, :cid, :banned_by, :reason, :shadow, :created_at, :expires)
     ON CONFLICT DO UPDATE SET banned_by = excluded.banned_by, reason = excluded.reason, shadow = excluded.shadow,
       created_at = excluded.created_at, expires = excluded.expires`,
    ban,
  );
}

export function removeBan(db: Database, { target_id, cid }: BanRow): void {
  db.run("DELETE FROM bans WHERE target_id = ? AND cid = ?", target_id, cid);
}

export function countBans(db: Database, userId: string): number {
  return db.value<number>("SELECT count(*) FROM bans WHERE target_id = ?", userId)!;
}

export function firstExpiredBan(db: Database, now: number): BanRow | undefined {
  return db.get<BanRow>("SELECT * FROM bans WHERE expires <= ? ORDER BY expires LIMIT 1", now);
}

export function nextBanEnd(db: Database): number | undefined {
  return db.value<number>(
    `SELECT min(at) FROM (SELECT min(expires) AS at FROM bans WHERE expires IS NOT NULL
       UNION ALL SELECT min(expires) FROM future_bans WHERE expires IS NOT NULL)`,
  );
}

/** Copies the ban, or its absence, to the row of the user or member. */
export function copyBanToRow(
  db: Database,
  userId: string,
  cid: string,
  ban: BanRow | undefined,
  now: number,
): void {
  const [table, where] =
    cid === EVERYWHERE ? ["users", "id = :userId"] : ["members", "user_id = :userId AND cid = :cid"];
  // A shadow ban must not change anything its target can see, not even `updated_at`.
  db.run(
    `UPDATE ${table} SET updated_at = CASE WHEN banned = 0 AND :banned = 0 THEN updated_at ELSE max(:now, updated_at + 1) END,
     banned = :banned, shadow_banned = :shadow, ban_expires = :expires WHERE ${where}`,
    {
      banned: Number(ban !== undefined && ban.shadow === 0),
      shadow: Number(ban?.shadow === 1),
      expires: ban?.expires ?? null,
      now,
      userId,
      cid,
    },
  );
}
