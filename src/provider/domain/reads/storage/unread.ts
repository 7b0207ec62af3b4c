/** Unread counts: stored for each member and changed in the transaction of what affects them (specification/events.md §7). */

/*
 * They must always equal `recount`: messages that count, by others, visible to the member, newer than `last_read`,
 * and not in the `uncounted` or "deleted for me" lists.
 */
import type { Counters } from "../../../../wire/events.ts";
import type { Database } from "../../../base/database.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";

/** A user's totals over all channels, as events and answers carry them (specification/events.md §7). */
export function unreadTotals(db: Database, userId: string): Required<Omit<Counters, "unread_threads">> {
  const { total, channels } = db.get<{ total: number; channels: number }>(
    "SELECT coalesce(sum(unread), 0) AS total, count(*) AS channels FROM reads WHERE user_id = ? AND unread > 0",
    userId,
  )!;
  return { total_unread_count: total, unread_count: total, unread_channels: channels };
}

/** Unread messages by team of their channels, for `total_unread_count_by_team`. */
export function unreadByTeam(db: Database, userId: string): Record<string, number> {
  const rows = db.all<{ team: string; n: number }>(
    `SELECT c.team, sum(r.unread) AS n FROM reads r JOIN channels c ON c.cid = r.cid
     WHERE r.user_id = ? AND r.unread > 0 AND c.team IS NOT NULL GROUP BY c.team ORDER BY c.team`,
    userId,
  );
  return Object.fromEntries(rows.map(({ team, n }) => [team, n]));
}

/** The number of the user's threads with unread replies: `unread_threads`. */
export function unreadThreads(db: Database, userId: string): number {
  return db.value<number>("SELECT count(*) FROM threads WHERE user_id = ? AND unread > 0", userId)!;
}

/** The totals with `unread_threads`, for events about read marks. */
export const unreadCounters = (db: Database, userId: string): Required<Counters> => ({
  ...unreadTotals(db, userId),
  unread_threads: unreadThreads(db, userId),
});

/** Unread replies in all threads of a user: `unread_thread_messages` (TH-11). */
export function unreadThreadMessages(db: Database, userId: string): number {
  return db.value<number>(
    "SELECT coalesce(sum(unread), 0) FROM threads WHERE user_id = ? AND unread > 0",
    userId,
  )!;
}

/** Condition for messages `m` that raise the unread count of member `?2`; bind cid, user, last_read. */
const COUNTED = `m.cid = ?1 AND m.listed = 1 AND m.counts = 1 AND m.user_id <> ?2 AND m.created_at > ?3
  AND (m.restricted IS NULL OR EXISTS (SELECT 1 FROM json_each(m.restricted) v WHERE v.value = ?2))
  AND (m.uncounted IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(m.uncounted) v WHERE v.value = ?2))
  AND NOT EXISTS (SELECT 1 FROM deleted_for_me d WHERE d.user_id = ?2 AND d.cid = ?1 AND d.message_id = m.id)`;

/** Counts a member's unread messages after `lastRead` (whole microseconds); needed when a read mark moves back or messages are deleted. */
export function recount(db: Database, cid: string, userId: string, lastRead: number): number {
  return db.value<number>(`SELECT count(*) FROM messages m WHERE ${COUNTED}`, cid, userId, lastRead)!;
}

/** The member's oldest unread message after `lastRead`. */
export function firstUnread(db: Database, cid: string, userId: string, lastRead: number): string | undefined {
  return db.value<string>(
    `SELECT m.id FROM messages m WHERE ${COUNTED} ORDER BY m.created_at, m.id LIMIT 1`,
    cid,
    userId,
    lastRead,
  );
}

/**
 * Members whose unread count a message of this author does not raise: those with a pending invite, those who muted the channel
 * or the author, and, in a channel of two, the one who blocked the author.
 */
export function uncountedMembers(db: Database, cid: string, authorId: string, now: number): string[] {
  const found = db.column<string>(
    `SELECT user_id FROM members INDEXED BY members_invited
       WHERE cid = ?1 AND invited = 1 AND invite_accepted_at IS NULL AND user_id <> ?2
     UNION ALL SELECT user_id FROM channel_mutes
       WHERE cid = ?1 AND (expires IS NULL OR expires > ?3) AND user_id <> ?2
     UNION ALL SELECT u.user_id FROM user_mutes u CROSS JOIN members m ON m.cid = ?1 AND m.user_id = u.user_id
       WHERE u.target_id = ?2 AND (u.expires IS NULL OR u.expires > ?3)
     UNION ALL SELECT m.user_id FROM channels c CROSS JOIN members m ON m.cid = c.cid
       CROSS JOIN blocks b ON b.user_id = m.user_id AND b.blocked_id = ?2 WHERE c.cid = ?1 AND c.member_count = 2`,
    cid,
    authorId,
    now,
  );
  return [...new Set(found)];
}

/** Raises the count of every member but the author, those in `uncounted`, and, with `only`, those not listed. */
export function raiseUnread(
  db: Database,
  cid: string,
  authorId: string,
  uncounted: string[],
  only: string[] | undefined,
): void {
  if (only)
    db.run(
      `UPDATE reads SET unread = unread + 1 WHERE cid = ? AND user_id <> ?
       AND user_id IN (SELECT value FROM json_each(?)) AND user_id NOT IN (SELECT value FROM json_each(?))`,
      cid,
      authorId,
      JSON.stringify(only),
      JSON.stringify(uncounted),
    );
  else if (uncounted.length)
    db.run(
      `UPDATE reads SET unread = unread + 1 WHERE cid = ? AND user_id <> ?
       AND user_id NOT IN (SELECT value FROM json_each(?))`,
      cid,
      authorId,
      JSON.stringify(uncounted),
    );
  else db.run("UPDATE reads SET unread = unread + 1 WHERE cid = ? AND user_id <> ?", cid, authorId);
}

/** Lowers the count of members who had not read the message. Call it before the row changes. */
export function lowerUnread(db: Database, cid: string, messageId: string): void {
  db.run(
    `UPDATE reads SET unread = unread - 1 FROM messages m
     WHERE m.id = ?1 AND m.counts = 1 AND m.listed = 1 AND reads.cid = ?2 AND reads.unread > 0
       AND m.user_id <> reads.user_id AND m.created_at > reads.last_read
       AND (m.restricted IS NULL OR EXISTS (SELECT 1 FROM json_each(m.restricted) v WHERE v.value = reads.user_id))
       AND (m.uncounted IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(m.uncounted) v WHERE v.value = reads.user_id))
       AND NOT EXISTS (SELECT 1 FROM deleted_for_me d
         WHERE d.user_id = reads.user_id AND d.cid = ?2 AND d.message_id = m.id)`,
    messageId,
    cid,
  );
}

/** When the member's oldest unread message was created that still has its text, in whole microseconds. */
export const oldestUnread = (
  db: Database,
  cid: string,
  userId: string,
  lastRead: number,
): number | undefined =>
  db.value<number | null>(
    `SELECT min(m.created_at) FROM messages m WHERE ${COUNTED} AND m.deleted_at IS NULL`,
    cid,
    userId,
    lastRead,
  ) ?? undefined;

/** The member's unread messages that still have their text, the newest first. */
export const newestUnread = (
  db: Database,
  cid: string,
  userId: string,
  lastRead: number,
  limit: number,
): MessageRow[] =>
  db.all<MessageRow>(
    `SELECT m.* FROM messages m WHERE ${COUNTED} AND m.deleted_at IS NULL ORDER BY m.created_at DESC, m.id DESC LIMIT ?4`,
    cid,
    userId,
    lastRead,
    limit,
  );

/** Lowers the member's count when it deletes an unread message for itself. */
export function lowerOwnUnread(db: Database, cid: string, userId: string, messageId: string): void {
  db.run(
    `UPDATE reads SET unread = unread - 1 WHERE cid = ?1 AND user_id = ?2 AND unread > 0 AND EXISTS
     (SELECT 1 FROM messages m WHERE m.id = ?3 AND m.listed = 1 AND m.counts = 1 AND m.user_id <> ?2
      AND m.created_at > reads.last_read
      AND (m.uncounted IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(m.uncounted) v WHERE v.value = ?2)))`,
    cid,
    userId,
    messageId,
  );
}
