/** Pages of rows for exports and batches, each starting after the last row of the page before. */
import type { Database } from "../../../base/database.ts";
import type { MemberRow } from "../../channels/storage/rows.ts";
import type { ReactionRow } from "../../messages/storage/reactions.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";

/** Channels of these types that are not deleted, sorted by cid. */
export function cidsOfTypes(
  db: Database,
  types: readonly string[] | undefined,
  after: string,
  limit: number,
): string[] {
  return db.column<string>(
    `SELECT cid FROM channels WHERE cid > ? AND deleted_at IS NULL AND type IN (SELECT value FROM json_each(?))
       ORDER BY cid LIMIT ?`,
    after,
    JSON.stringify(types),
    limit,
  );
}

/** Sorted by user id. */
export function membersAfter(db: Database, cid: string, after: string, limit: number): MemberRow[] {
  return db.all<MemberRow>(
    "SELECT * FROM members WHERE cid = ? AND user_id > ? ORDER BY user_id LIMIT ?",
    cid,
    after,
    limit,
  );
}

/** Messages and replies of a channel between two times, oldest first. */
export function messagesAfter(
  db: Database,
  part: { cid: string; since: number | null; until: number | null },
  [stamp, id]: readonly [number, string],
  limit: number,
): MessageRow[] {
  return db.all<MessageRow>(
    `SELECT * FROM messages WHERE cid = :cid AND (created_at, id) > (:stamp, :id) AND created_at >= :since
     AND created_at <= :until ORDER BY created_at, id LIMIT :limit`,
    {
      cid: part.cid,
      stamp,
      id,
      since: part.since ?? Number.MIN_SAFE_INTEGER,
      until: part.until ?? Number.MAX_SAFE_INTEGER,
      limit,
    },
  );
}

/** All reactions on these messages, oldest first for each message. */
export function reactionsOnAll(db: Database, messageIds: readonly string[]): ReactionRow[] {
  return db.all<ReactionRow>(
    `SELECT * FROM reactions WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, created_at, user_id`,
    JSON.stringify(messageIds),
  );
}

/** A user's messages, oldest first. */
export function messagesOfUserAfter(
  db: Database,
  userId: string,
  stamp: number,
  id: string,
  limit: number,
): MessageRow[] {
  return db.all<MessageRow>(
    `SELECT * FROM messages WHERE user_id = :userId AND (created_at, id) > (:stamp, :id)
     ORDER BY created_at, id LIMIT :limit`,
    { userId, stamp, id, limit },
  );
}

/** A user's reactions on existing messages, oldest first. */
export function reactionsOfUserAfter(
  db: Database,
  userId: string,
  [stamp, messageId, type]: readonly [number, string, string],
  limit: number,
): ReactionRow[] {
  return db.all<ReactionRow>(
    `SELECT * FROM reactions r WHERE user_id = :userId AND EXISTS (SELECT 1 FROM messages m WHERE m.id = r.message_id)
     AND (created_at, message_id, type) > (:stamp, :messageId, :type)
     ORDER BY created_at, message_id, type LIMIT :limit`,
    { userId, stamp, messageId, type, limit },
  );
}
