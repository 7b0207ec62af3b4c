/** The tables of bans, and who is banned where. */
import type { Database } from "../../../base/database.ts";
import { notOver, INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

/** `cid` of a ban in the whole app. */
export const EVERYWHERE = "";

/** The truth about bans; the rows of users and members repeat it for those who read them. */
export const bans = table(
  "bans",
  {
    target_id: TEXT.key,
    /** `""` for a ban in the whole app. */
    cid: TEXT.key,
    banned_by: TEXT,
    reason: TEXT.null,
    shadow: INTEGER,
    created_at: INTEGER,
    expires: INTEGER.null,
  },
  {
    indexes: {
      bans_by_age: "(created_at DESC, target_id, cid)",
      bans_of_channel: "(cid)",
      bans_by_end: "(expires) WHERE expires IS NOT NULL",
    },
  },
);
export type BanRow = RowOf<typeof bans>;

/** Bans in channels that the banning user creates later (specification/moderation.md §2, `ban_from_future_channels`). */
export const futureBans = table(
  "future_bans",
  {
    banned_by: TEXT.key,
    target_id: TEXT.key,
    reason: TEXT.null,
    shadow: INTEGER,
    created_at: INTEGER,
    expires: INTEGER.null,
  },
  {
    indexes: {
      future_bans_by_age: "(created_at DESC, target_id, banned_by)",
      future_bans_by_end: "(expires) WHERE expires IS NOT NULL",
    },
  },
);
export type FutureBanRow = RowOf<typeof futureBans>;

/** The current ban in one channel, or in the whole app; an expired one counts as none. */
export const banIn = (db: Database, userId: string, cid: string, now: number): BanRow | undefined =>
  bans.find(db, { target_id: userId, cid, expires: notOver(now) });

/** Whether a shadow ban of the channel or the app hides what the user writes there (specification/moderation.md §2.1). */
export const isShadowBanned = (db: Database, userId: string, cid: string, now: number): boolean =>
  // Asked with every message; a list in the statement is faster than a bound one.
  db.has(
    `SELECT 1 FROM bans WHERE target_id = :userId AND cid IN ('', :cid) AND shadow = 1
     AND (expires IS NULL OR expires > :now)`,
    { userId, cid, now },
  );

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
