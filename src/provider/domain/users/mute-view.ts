/** Channel mutes as rows and as they travel. */
import { splitCid } from "../../../wire/ids.ts";
import { timeFromMicros } from "../../../wire/time.ts";
import type { ChannelMute } from "../../../wire/user.ts";
import type { Database } from "../../store/database.ts";
import type { People } from "./view.ts";

export interface ChannelMuteRow {
  cid: string;
  user_id: string;
  created_at: number;
  updated_at: number;
  expires: number | null;
}

export function channelMuteView(people: People, row: ChannelMuteRow): ChannelMute {
  return {
    user: people.get(row.user_id),
    channel: { cid: row.cid, ...splitCid(row.cid) },
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
    ...(row.expires === null ? {} : { expires: timeFromMicros(row.expires) }),
  };
}

/** The user's mutes in force, oldest first. */
export function channelMutesOf(db: Database, people: People, userId: string, now: number): ChannelMute[] {
  return db
    .all<ChannelMuteRow>(
      "SELECT * FROM channel_mutes WHERE user_id = ? AND (expires IS NULL OR expires > ?) ORDER BY created_at, cid",
      userId,
      now,
    )
    .map((row) => channelMuteView(people, row));
}
