/** Statements over channel members. */
import type { Database } from "../../../base/database.ts";
import type { MemberRow, ChannelRow } from "./rows.ts";

export function memberIds(db: Database, cid: string): string[] {
  return db.column<string>("SELECT user_id FROM members WHERE cid = ?", cid);
}

export const cidsOfMember = (db: Database, userId: string): string[] =>
  db.column("SELECT cid FROM members WHERE user_id = ?", userId);

/** Two-member channels of the user that are not deleted. */
export const twoMemberCids = (db: Database, userId: string): string[] =>
  db.column(
    `SELECT c.cid FROM members m JOIN channels c ON c.cid = m.cid
       WHERE m.user_id = ? AND c.member_count = 2 AND c.deleted_at IS NULL`,
    userId,
  );

/** Channels that the user has hidden, the last hidden first. */
export const hiddenCids = (db: Database, userId: string, limit: number): string[] =>
  db.column(
    "SELECT cid FROM members WHERE user_id = ? AND hidden_at IS NOT NULL ORDER BY hidden_at DESC LIMIT ?",
    userId,
    limit,
  );

export function removeMember(db: Database, cid: string, userId: string): void {
  db.run("DELETE FROM members WHERE cid = ? AND user_id = ?", cid, userId);
}

/** Oldest first; pending and rejected invites are included. */
export function memberRows(db: Database, cid: string, limit: number, offset = 0): MemberRow[] {
  return db.all<MemberRow>(
    "SELECT * FROM members WHERE cid = ? ORDER BY created_at, user_id LIMIT ? OFFSET ?",
    cid,
    limit,
    offset,
  );
}

export function insertMember(
  db: Database,
  member: Pick<
    MemberRow,
    "cid" | "user_id" | "channel_role" | "created_at" | "invited" | "hide_before" | "data"
  >,
): void {
  db.run(
    `INSERT INTO members (cid, user_id, channel_role, created_at, updated_at, invited, hide_before, data)
     VALUES (:cid, :user_id, :channel_role, :created_at, :created_at, :invited, :hide_before, :data)`,
    member,
  );
}

/** `hiddenAt` is null to unhide the channel. */
export function setHidden(db: Database, cid: string, userId: string, hiddenAt: number | null): void {
  db.run("UPDATE members SET hidden_at = ? WHERE cid = ? AND user_id = ?", hiddenAt, cid, userId);
}

/** Hides messages up to this time from the member, replacing an earlier or later limit. */
export function setHideBefore(db: Database, cid: string, userId: string, upTo: number): void {
  db.run("UPDATE members SET hide_before = ? WHERE cid = ? AND user_id = ?", upTo, cid, userId);
}

/** Like `setHideBefore`, but keeps a later limit. */
export function raiseHideBefore(db: Database, cid: string, userId: string, upTo: number): void {
  db.run(
    "UPDATE members SET hide_before = max(coalesce(hide_before, 0), ?) WHERE cid = ? AND user_id = ?",
    upTo,
    cid,
    userId,
  );
}

/** Writes the columns that a partial update can change. */
export function storeMember(db: Database, member: MemberRow): void {
  db.run(
    `UPDATE members SET pinned_at = :pinned_at, archived_at = :archived_at, channel_role = :channel_role, data = :data,
     updated_at = :updated_at WHERE cid = :cid AND user_id = :user_id`,
    member,
  );
}

export function setChannelRole(db: Database, cid: string, userId: string, role: string, now: number): void {
  db.run(
    "UPDATE members SET channel_role = :role, updated_at = :now WHERE cid = :cid AND user_id = :userId",
    { cid, userId, role, now },
  );
}

/** Accepts or rejects the invite. */
export function setInviteAnswered(
  db: Database,
  cid: string,
  userId: string,
  accept: boolean,
  now: number,
): void {
  db.run(
    `UPDATE members SET ${accept ? "invite_accepted_at" : "invite_rejected_at"} = ?1, updated_at = ?1
     WHERE cid = ?2 AND user_id = ?3`,
    now,
    cid,
    userId,
  );
}

/** The two users' most recently active two-member channel of type `messaging`. */
export function directChannel(db: Database, userId: string, otherId: string): ChannelRow | undefined {
  return db.get<ChannelRow>(
    `SELECT c.* FROM members m JOIN channels c ON c.cid = m.cid
     WHERE m.user_id = ?1 AND c.type = 'messaging' AND c.deleted_at IS NULL AND c.member_count = 2
     AND EXISTS (SELECT 1 FROM members o WHERE o.cid = c.cid AND o.user_id = ?2)
     ORDER BY c.last_updated DESC, c.cid LIMIT 1`,
    userId,
    otherId,
  );
}

/** Members who have hidden but not muted the channel. */
export function membersHiding(db: Database, cid: string, now: number): string[] {
  return db.column<string>(
    `SELECT user_id FROM members WHERE cid = ?1 AND hidden_at IS NOT NULL AND user_id NOT IN
       (SELECT user_id FROM channel_mutes WHERE cid = ?1 AND (expires IS NULL OR expires > ?2))`,
    cid,
    now,
  );
}

/** The members of the channel, and those of `ids` that are users. */
export function membersAndUsers(db: Database, cid: string, ids: readonly string[]): string[] {
  return db.column<string>(
    `SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?1))
       OR id IN (SELECT user_id FROM members WHERE cid = ?2)`,
    JSON.stringify(ids),
    cid,
  );
}
