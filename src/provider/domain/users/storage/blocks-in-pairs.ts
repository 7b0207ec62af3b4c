/** Blocks apply only in channels of exactly two users, of whom one has blocked the other (specification/moderation.md §5, BL-2, BL-3). */
import type { Database } from "../../../base/database.ts";

/** Condition on channel `c` and the user's member row `me`: a channel of two with somebody the user has blocked. */
export const BLOCKED = `(c.member_count = 2 AND me.user_id IS NOT NULL AND EXISTS (SELECT 1 FROM members x
  JOIN blocks b ON b.user_id = me.user_id AND b.blocked_id = x.user_id WHERE x.cid = c.cid))`;

/** The member of a channel of two who has blocked the user that caused an event there. */
export function blockedRecipient(db: Database, cid: string, causedBy: string): string | undefined {
  return db.value<string>(
    `SELECT m.user_id FROM channels c CROSS JOIN members m ON m.cid = c.cid AND m.user_id <> ?2
     CROSS JOIN blocks b ON b.user_id = m.user_id AND b.blocked_id = ?2 WHERE c.cid = ?1 AND c.member_count = 2`,
    cid,
    causedBy,
  );
}

/** The member of a channel of two whom the reader has blocked. */
export function blockedAuthor(db: Database, cid: string, reader: string): string | undefined {
  return db.value<string>(
    `SELECT m.user_id FROM channels c CROSS JOIN members m ON m.cid = c.cid AND m.user_id <> ?2
     CROSS JOIN blocks b ON b.user_id = ?2 AND b.blocked_id = m.user_id
     WHERE c.cid = ?1 AND c.member_count = 2 AND EXISTS (SELECT 1 FROM members me WHERE me.cid = ?1 AND me.user_id = ?2)`,
    cid,
    reader,
  );
}

/** Channels with only these two members, where a block applies. */
export function channelsOfTwo(db: Database, userId: string, otherId: string): string[] {
  return db.column<string>(
    `SELECT m.cid FROM members m JOIN members o ON o.cid = m.cid AND o.user_id = ?2
       JOIN channels c ON c.cid = m.cid AND c.member_count = 2 AND c.deleted_at IS NULL WHERE m.user_id = ?1`,
    userId,
    otherId,
  );
}
