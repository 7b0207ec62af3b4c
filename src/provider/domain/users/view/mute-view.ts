/** Converts mutes of users and channels to the wire. */
import { splitCid } from "../../../../wire/ids.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { ChannelMute, Mute } from "../../../../wire/entities/user.ts";
import type { Database } from "../../../base/database.ts";
import type { People } from "./users.ts";
import { lastingOf, type MuteRow, type UserMuteRow, userMutes } from "../storage/mutes.ts";
import { type ChannelMuteRow, channelMutes } from "../../channels/storage/mutes.ts";

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

export function channelMutesOf(db: Database, people: People, userId: string, now: number): ChannelMute[] {
  return channelMutes
    .list(db, lastingOf([userId], now), { by: ["created_at", "cid"] })
    .map((row) => channelMuteView(people, row));
}

export function userMutesOf(db: Database, people: People, userId: string, now: number): Mute[] {
  const rows = userMutes.list(db, lastingOf([userId], now), { by: ["created_at", "target_id"] });
  people.load(rows.map((row) => row.target_id));
  return rows.map((row) => userMuteView(people, row));
}
