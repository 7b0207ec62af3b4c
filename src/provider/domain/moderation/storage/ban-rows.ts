/** Bans as rows, and who is banned where at a moment. */
import type { Database } from "../../../store/database.ts";

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

/** The ban in force in one channel, or in the whole app; one that is over counts as none. */
export function banIn(db: Database, userId: string, cid: string, now: number): BanRow | undefined {
  return db.get<BanRow>(
    "SELECT * FROM bans WHERE target_id = ? AND cid = ? AND (expires IS NULL OR expires > ?)",
    userId,
    cid,
    now,
  );
}

/** Does a shadow ban, of the channel or of the app, hide what the user writes there (specification/moderation.md §2.1). */
export function isShadowBanned(db: Database, userId: string, cid: string, now: number): boolean {
  return (
    db.get(
      "SELECT 1 FROM bans WHERE target_id = ? AND cid IN ('', ?) AND shadow = 1 AND (expires IS NULL OR expires > ?)",
      userId,
      cid,
      now,
    ) !== undefined
  );
}

/** The ban of somebody who is no member, over or not; a shadow ban is none. */
export function banOutside(
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
