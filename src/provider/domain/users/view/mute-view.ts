/** Mutes of users and of channels as rows and as they travel. */
import { splitCid } from "../../../../wire/ids.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { ChannelMute, Mute } from "../../../../wire/user.ts";
import type { Database } from "../../../store/database.ts";
import type { People } from "./users.ts";

interface MuteRow {
  user_id: string;
  created_at: number;
  updated_at: number;
  expires: number | null;
}

interface ChannelMuteRow extends MuteRow {
  cid: string;
}

interface UserMuteRow extends MuteRow {
  target_id: string;
}

const times = ({ created_at, updated_at, expires }: MuteRow) => ({
  created_at: timeFromMicros(created_at),
  updated_at: timeFromMicros(updated_at),
  ...(expires === null ? {} : { expires: timeFromMicros(expires) }),
});

export function channelMuteView(people: People, row: ChannelMuteRow): ChannelMute {
  return {
    user: people.get(row.user_id),
    channel: { cid: row.cid, ...splitCid(row.cid) },
    ...times(row),
  };
}

export function userMuteView(people: People, row: UserMuteRow): Mute {
  return { user: people.get(row.user_id), target: people.get(row.target_id), ...times(row) };
}

const IN_FORCE = "user_id IN (SELECT value FROM json_each(?)) AND (expires IS NULL OR expires > ?)";

/** Mutes of channels in force, oldest first. */
export function channelMuteRows(db: Database, userIds: readonly string[], now: number): ChannelMuteRow[] {
  return db.all<ChannelMuteRow>(
    `SELECT * FROM channel_mutes WHERE ${IN_FORCE} ORDER BY created_at, cid`,
    JSON.stringify(userIds),
    now,
  );
}

/** Mutes of users in force, oldest first. */
export function userMuteRows(db: Database, userIds: readonly string[], now: number): UserMuteRow[] {
  return db.all<UserMuteRow>(
    `SELECT * FROM user_mutes WHERE ${IN_FORCE} ORDER BY created_at, target_id`,
    JSON.stringify(userIds),
    now,
  );
}

/** The channel mutes of one user. */
export function channelMutesOf(db: Database, people: People, userId: string, now: number): ChannelMute[] {
  return channelMuteRows(db, [userId], now).map((row) => channelMuteView(people, row));
}

/** The mutes of one user: whom it muted. */
export function userMutesOf(db: Database, people: People, userId: string, now: number): Mute[] {
  const rows = userMuteRows(db, [userId], now);
  people.load(rows.map((row) => row.target_id));
  return rows.map((row) => userMuteView(people, row));
}
