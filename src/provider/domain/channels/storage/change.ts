/** Statements that insert, change and count channels. */
import type { Database } from "../../../base/database.ts";
import type { ChannelRow } from "./rows.ts";

/** Channels that the user created and that are not deleted. */
export const cidsCreatedBy = (db: Database, userId: string): string[] =>
  db.column("SELECT cid FROM channels WHERE created_by = ? AND deleted_at IS NULL", userId);

/** Channels that the user created and that were soft-deleted at this time. */
export const cidsDeletedAt = (db: Database, userId: string, deletedAt: number): string[] =>
  db.column("SELECT cid FROM channels WHERE created_by = ? AND deleted_at = ?", userId, deletedAt);

export function restoreChannel(db: Database, cid: string, now: number): void {
  db.run("UPDATE channels SET deleted_at = NULL, updated_at = ? WHERE cid = ?", now, cid);
}

/** Soft-deletes a channel: unread numbers, mutes and live locations end; the members are kept. */
export function softDeleteChannel(db: Database, cid: string, now: number, lastStamp: number): void {
  db.run("UPDATE channels SET deleted_at = ?1, updated_at = ?1 WHERE cid = ?2", now, cid);
  db.run("UPDATE reads SET unread = 0, last_read = ? WHERE cid = ?", Math.max(now, lastStamp), cid);
  db.run("UPDATE threads SET unread = 0 WHERE cid = ?", cid);
  db.run("UPDATE locations SET end_at = ?1 WHERE cid = ?2 AND end_at > ?1", now, cid);
  db.run("DELETE FROM channel_mutes WHERE cid = ?", cid);
  db.run("UPDATE members SET hidden_at = NULL, pinned_at = NULL WHERE cid = ?", cid);
}

/** Recounts a channel whose messages up to `upTo` were erased, or will be in steps, and clears unread numbers. */
export function storeTruncation(
  db: Database,
  truncation: { cid: string; at: number; by: string | null; now: number; stamp: number },
): void {
  // Newer replies of erased parents are still counted here; erasing them later subtracts them.
  const remaining = db.get<{ last: number | null; count: number }>(
    `SELECT (SELECT created_at FROM messages WHERE cid = :cid AND listed = 1 AND created_at > :at
      ORDER BY created_at DESC LIMIT 1) AS last,
     (SELECT count(*) FROM message_rows WHERE cid = :cid AND created_at > :at) AS count`,
    truncation,
  )!;
  db.run(
    `UPDATE channels SET truncated_at = :at, truncated_by = :by, updated_at = :now, last_message_at = :last,
     message_count = :count, last_stamp = :stamp WHERE cid = :cid`,
    { ...truncation, ...remaining },
  );
  db.run("UPDATE reads SET unread = 0, last_read = max(last_read, :stamp) WHERE cid = :cid", truncation);
}

/** `rowid` is set when a deleted channel's messages are still being erased. */
type NewChannel = Omit<
  ChannelRow,
  | "updated_at"
  | "last_message_at"
  | "last_updated"
  | "member_count"
  | "message_count"
  | "overrides"
  | "deleted_at"
  | "truncated_at"
  | "truncated_by"
> & { rowid: number | null };

export function insertChannel(db: Database, channel: NewChannel): void {
  db.run(
    `INSERT INTO channels (rowid, last_stamp, cid, type, id, created_at, updated_at, created_by, frozen, disabled, cooldown,
     is_distinct, team, filter_tags, auto_translation_enabled, auto_translation_language, data)
     VALUES (:rowid, :last_stamp, :cid, :type, :id, :created_at, :created_at, :created_by, :frozen, :disabled, :cooldown,
     :is_distinct, :team, :filter_tags, :auto_translation_enabled, :auto_translation_language, :data)`,
    channel,
  );
}

/** Writes the columns that an update can change. */
export function storeChannel(db: Database, channel: ChannelRow): void {
  db.run(
    `UPDATE channels SET data = :data, frozen = :frozen, disabled = :disabled, cooldown = :cooldown, team = :team,
     filter_tags = :filter_tags, overrides = :overrides, auto_translation_enabled = :auto_translation_enabled,
     auto_translation_language = :auto_translation_language, updated_at = :updated_at WHERE cid = :cid`,
    channel,
  );
}

/** `delta` may be negative. */
export function changeMemberCount(db: Database, cid: string, delta: number): void {
  db.run("UPDATE channels SET member_count = member_count + ? WHERE cid = ?", delta, cid);
}

/** The rowid of a channel, by which the search index knows it, and the time of its last message; also for deleted channels. */
export function channelNumber(db: Database, cid: string): { rowid: number; last_stamp: number } | undefined {
  return db.get("SELECT rowid, last_stamp FROM channels WHERE cid = ?", cid);
}

/** Counts a message created at `createdAt`; `moves`: it also changes `last_message_at`. */
export function countMessage(db: Database, cid: string, createdAt: number, moves: boolean): void {
  db.run(
    `UPDATE channels SET last_stamp = ?1, message_count = message_count + 1,
     last_message_at = CASE WHEN ?2 THEN ?1 ELSE last_message_at END WHERE cid = ?3`,
    createdAt,
    Number(moves),
    cid,
  );
}

/** Subtracts erased messages; `skipSystem`: system messages do not count for `last_message_at`. */
export function subtractMessages(db: Database, cid: string, count: number, skipSystem: boolean): void {
  db.run(
    `UPDATE channels SET message_count = message_count - ?1, last_message_at =
     (SELECT created_at FROM messages WHERE cid = ?2 AND listed = 1 AND NOT (?3 AND (type = 'system' OR was IS 'system'))
      ORDER BY created_at DESC LIMIT 1) WHERE cid = ?2`,
    count,
    cid,
    Number(skipSystem),
  );
}
