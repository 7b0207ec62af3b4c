/** Channels that users muted, as it is stored. */
import type { Database } from "../../../store/database.ts";
import type { MuteRow } from "../../users/storage/mutes.ts";

export interface ChannelMuteRow extends MuteRow {
  cid: string;
}

/** In force, oldest first. */
export function channelMuteRows(db: Database, userIds: readonly string[], now: number): ChannelMuteRow[] {
  return db.all<ChannelMuteRow>(
    `SELECT * FROM channel_mutes WHERE user_id IN (SELECT value FROM json_each(?)) AND (expires IS NULL OR expires > ?)
     ORDER BY created_at, cid`,
    JSON.stringify(userIds),
    now,
  );
}
