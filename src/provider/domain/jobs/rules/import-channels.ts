/** Stores channels and members of an import; nothing is told to anybody (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/import.ts";
import { customOfItem } from "../../../../wire/import-forms.ts";
import { splitCid } from "../../../../wire/ids.ts";
import { eraseChannel } from "../../channels/storage/erase.ts";
import { findChannel, memberRow } from "../../channels/storage/rows.ts";
import type { Ground } from "./import-apply.ts";
import { cidOfItem } from "./import-check.ts";
import { mergedWith, micros } from "./import-people.ts";
import { remember } from "../storage/seen.ts";

export function putChannel(ground: Ground, item: ImportItem): void {
  const { db, now } = ground;
  const { data } = item;
  const cid = cidOfItem(item);
  const before = findChannel(db, cid);
  if (before && ground.insertOnly) return;
  const { type, id } = splitCid(cid)!;
  const custom = JSON.stringify(mergedWith(ground, before?.data, customOfItem(item)));
  const created = micros(data.created_at) ?? before?.created_at ?? now;
  if (before)
    db.run(
      `UPDATE channels SET created_by = ?, created_at = ?, frozen = ?, disabled = ?, team = ?, truncated_at = ?, data = ?,
       updated_at = ? WHERE cid = ?`,
      data.created_by as string,
      created,
      Number(data.frozen === true),
      Number(data.disabled === true),
      (data.team as string | null | undefined) ?? null,
      micros(data.truncated_at),
      custom,
      now,
      cid,
    );
  else {
    // as a creation does: a deleted channel of this id gives way
    eraseChannel(db, cid);
    db.run(
      `INSERT INTO channels (cid, type, id, created_at, updated_at, created_by, frozen, disabled, is_distinct, team,
       truncated_at, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      cid,
      type,
      id,
      created,
      now,
      data.created_by as string,
      Number(data.frozen === true),
      Number(data.disabled === true),
      Number(id.startsWith("!members-")),
      (data.team as string | null | undefined) ?? null,
      micros(data.truncated_at),
      custom,
    );
  }
  remember(db, ground.importId, "channel", cid);
  for (const userId of new Set((data.member_ids as string[] | undefined) ?? []))
    if (!memberRow(db, cid, userId)) insertMember(ground, cid, userId, created);
  for (const userId of (data.banned_users as string[] | undefined) ?? [])
    db.run(
      "INSERT OR IGNORE INTO bans (target_id, cid, banned_by, shadow, created_at) VALUES (?, ?, ?, 0, ?)",
      userId,
      cid,
      data.created_by as string,
      now,
    );
}

/** The row, its read entry (everything read) and the count. */
function insertMember({ db, now }: Ground, cid: string, userId: string, created: number): void {
  const banned = db.get("SELECT 1 FROM bans WHERE target_id = ? AND cid = ?", userId, cid) !== undefined;
  db.run(
    "INSERT INTO members (cid, user_id, created_at, updated_at, banned) VALUES (?, ?, ?, ?, ?)",
    cid,
    userId,
    created,
    created,
    Number(banned),
  );
  const channel = findChannel(db, cid);
  db.run(
    "INSERT OR IGNORE INTO reads (cid, user_id, unread, last_read) VALUES (?, ?, 0, ?)",
    cid,
    userId,
    Math.max(now, channel?.last_stamp ?? 0),
  );
}

export function putMember(ground: Ground, item: ImportItem): void {
  const { db, now } = ground;
  const { data } = item;
  const cid = cidOfItem(item);
  const userId = data.user_id as string;
  const before = memberRow(db, cid, userId);
  if (before && ground.insertOnly) return;
  const created = micros(data.created_at) ?? before?.created_at ?? now;
  if (!before) insertMember(ground, cid, userId, created);
  const role =
    (data.channel_role as string | null | undefined) ??
    (data.is_moderator === true ? "channel_moderator" : "channel_member");
  const accepted = micros(data.invited_accepted_at);
  const rejected = micros(data.invited_rejected_at);
  db.run(
    `UPDATE members SET channel_role = ?, created_at = ?, updated_at = ?, archived_at = ?, invited = ?,
     invite_accepted_at = ?, invite_rejected_at = ?, hidden_at = ?, hide_before = ?, data = ? WHERE cid = ? AND user_id = ?`,
    role,
    created,
    created,
    micros(data.archived_at),
    Number(data.invited === true || accepted !== null || rejected !== null),
    accepted,
    rejected,
    data.hide_channel === true ? now : null,
    micros(data.hide_messages_before),
    JSON.stringify(mergedWith(ground, before?.data, customOfItem(item))),
    cid,
    userId,
  );
  remember(db, ground.importId, "channel", cid);
  const read = micros(data.last_read);
  if (read === null) return;
  db.run("UPDATE reads SET last_read = ? WHERE cid = ? AND user_id = ?", read, cid, userId);
  remember(db, ground.importId, "unread", `${cid} ${userId}`);
}
