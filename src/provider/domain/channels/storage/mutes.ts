/** Statements over muted channels. */
import type { Database } from "../../../base/database.ts";
import type { MuteRow } from "../../users/storage/mutes.ts";

export interface ChannelMuteRow extends MuteRow {
  cid: string;
}

/** Mutes in force, oldest first. */
export function channelMuteRows(db: Database, userIds: readonly string[], now: number): ChannelMuteRow[] {
  return db.all<ChannelMuteRow>(
    `SELECT * FROM channel_mutes WHERE user_id IN (SELECT value FROM json_each(?)) AND (expires IS NULL OR expires > ?)
     ORDER BY created_at, cid`,
    JSON.stringify(userIds),
    now,
  );
}

/** The user's mute of the channel, if it is in force. */
export function findChannelMute(
  db: Database,
  cid: string,
  userId: string,
  now: number,
): ChannelMuteRow | undefined {
  return db.get<ChannelMuteRow>(
    "SELECT * FROM channel_mutes WHERE cid = ? AND user_id = ? AND (expires IS NULL OR expires > ?)",
    cid,
    userId,
    now,
  );
}

/** Inserts a mute, or renews `updated_at` and `expires`. */
export function storeChannelMute(db: Database, mute: Omit<ChannelMuteRow, "created_at">): void {
  db.run(
    `INSERT INTO channel_mutes (cid, user_id, created_at, updated_at, expires)
     VALUES (:cid, :user_id, :updated_at, :updated_at, :expires)
     ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, expires = excluded.expires`,
    mute,
  );
}

export function removeChannelMute(db: Database, cid: string, userId: string): void {
  db.run("DELETE FROM channel_mutes WHERE cid = ? AND user_id = ?", cid, userId);
}
