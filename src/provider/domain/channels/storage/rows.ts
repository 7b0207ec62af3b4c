/** Rows of channels, members and reads, and how they are found. */
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";

export interface ChannelRow {
  cid: string;
  type: string;
  id: string;
  created_at: number;
  updated_at: number;
  created_by: string;
  last_message_at: number | null;
  last_updated: number;
  last_stamp: number;
  member_count: number;
  message_count: number;
  frozen: number;
  disabled: number;
  cooldown: number;
  is_distinct: number;
  team: string | null;
  filter_tags: string;
  overrides: string | null;
  data: string;
  deleted_at: number | null;
  truncated_at: number | null;
  truncated_by: string | null;
  auto_translation_enabled: number;
  auto_translation_language: string | null;
}

export interface MemberRow {
  cid: string;
  user_id: string;
  channel_role: string;
  created_at: number;
  updated_at: number;
  invited: number;
  invite_accepted_at: number | null;
  invite_rejected_at: number | null;
  banned: number;
  ban_expires: number | null;
  shadow_banned: number;
  pinned_at: number | null;
  archived_at: number | null;
  hidden_at: number | null;
  hide_before: number | null;
  data: string;
}

export interface ReadRow {
  cid: string;
  user_id: string;
  unread: number;
  last_read: number;
  last_read_id: string | null;
  delivered_at: number | null;
  delivered_id: string | null;
}

export function findChannel(db: Database, cid: string): ChannelRow | undefined {
  return db.get<ChannelRow>("SELECT * FROM channels WHERE cid = ? AND deleted_at IS NULL", cid);
}

/** Throws code 16 for an unknown or deleted channel. */
export function channelRow(db: Database, cid: string): ChannelRow {
  const row = findChannel(db, cid);
  if (!row) throw ApiProblem.notFound(`Channel ${cid} does not exist`);
  return row;
}

export function memberRow(db: Database, cid: string, userId: string): MemberRow | undefined {
  return db.get<MemberRow>("SELECT * FROM members WHERE cid = ? AND user_id = ?", cid, userId);
}

export const isPendingRow = (member: MemberRow): boolean =>
  member.invited === 1 && member.invite_accepted_at === null;

export function readRow(db: Database, cid: string, userId: string): ReadRow | undefined {
  return db.get<ReadRow>("SELECT * FROM reads WHERE cid = ? AND user_id = ?", cid, userId);
}

export function isMember(db: Database, cid: string, userId: string): boolean {
  return db.has("SELECT 1 FROM members WHERE cid = ? AND user_id = ?", cid, userId);
}

/** Also finds soft-deleted channels. */
export function findAnyChannel(db: Database, cid: string): ChannelRow | undefined {
  return db.get<ChannelRow>("SELECT * FROM channels WHERE cid = ?", cid);
}

/** Also finds soft-deleted channels. */
export function channelsAmong(db: Database, cids: readonly string[]): ChannelRow[] {
  return db.all<ChannelRow>(
    "SELECT * FROM channels WHERE cid IN (SELECT value FROM json_each(?))",
    JSON.stringify(cids),
  );
}

export function isSoftlyDeleted(db: Database, cid: string): boolean {
  return db.has("SELECT 1 FROM channels WHERE cid = ? AND deleted_at IS NOT NULL", cid);
}
