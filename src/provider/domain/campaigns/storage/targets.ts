/** The targets of a campaign's run, fixed at its start, and who got the message. */
import type { Database } from "../../../base/database.ts";
import { BodyReader } from "../../validation/check.ts";
import { compileFilter } from "../../query/filter.ts";
import type { CampaignRow } from "./campaigns.ts";
import { findSegment, type SegmentRow } from "./segments.ts";
import { segmentFields, selection } from "./selection.ts";

export interface CampaignTarget {
  id: string;
  kind: "user" | "channel";
}

/** Users that get nothing: the sender, deleted and deactivated ones, and ids of nobody. */
const LIVING = "u.deleted_at IS NULL AND u.deactivated_at IS NULL AND u.id <> ?";
const INTO = "INSERT OR IGNORE INTO campaign_targets (campaign_id, target_id, kind)";

/** Those an earlier run served stay served. */
export function freezeTargets(db: Database, row: CampaignRow, now: number): void {
  db.run("DELETE FROM campaign_targets WHERE campaign_id = ? AND served = 0", row.id);
  db.run(
    `${INTO} SELECT ?, u.id, 'user' FROM json_each(?) j JOIN users u ON u.id = j.value WHERE ${LIVING}`,
    row.id,
    row.user_ids,
    row.sender_id,
  );
  for (const id of JSON.parse(row.segment_ids) as string[]) {
    const segment = findSegment(db, id);
    if (segment) freezeSegment(db, row, segment, now);
  }
}

/** SG-4: a filter is evaluated now. */
function freezeSegment(db: Database, row: CampaignRow, segment: SegmentRow, now: number): void {
  const { id, sender_id: sender } = row;
  if (segment.all_users === 1)
    db.run(`${INTO} SELECT ?, u.id, 'user' FROM users u WHERE ${LIVING}`, id, sender);
  else if (segment.all_sender_channels === 1)
    db.run(
      `${INTO} SELECT ?, c.cid, 'channel' FROM members m JOIN channels c ON c.cid = m.cid
       WHERE m.user_id = ? AND c.deleted_at IS NULL`,
      id,
      sender,
    );
  else if (segment.filter !== null) {
    const where = compileFilter(
      JSON.parse(segment.filter),
      segmentFields(segment.type, now),
      new BodyReader({}),
    );
    const picked = selection(segment.type, where);
    const key = segment.type === "user" ? "u.id" : "c.cid";
    db.raw
      .prepare(
        `${INTO} SELECT ?, ${key}, '${segment.type}' FROM ${picked.from} WHERE ${picked.where} AND ${key} <> ?`,
      )
      .run(id, ...where.values, segment.type === "user" ? sender : "");
  } else if (segment.type === "user")
    db.run(
      `${INTO} SELECT ?, u.id, 'user' FROM segment_targets t JOIN users u ON u.id = t.target_id
       WHERE t.segment_id = ? AND ${LIVING}`,
      id,
      segment.id,
      sender,
    );
  else
    db.run(
      `${INTO} SELECT ?, c.cid, 'channel' FROM segment_targets t JOIN channels c ON c.cid = t.target_id
       WHERE t.segment_id = ? AND c.deleted_at IS NULL`,
      id,
      segment.id,
    );
}

/** The next that wait, by their ids. */
export function waitingTargets(db: Database, campaignId: string, limit: number): CampaignTarget[] {
  return db.all(
    `SELECT target_id AS id, kind FROM campaign_targets WHERE campaign_id = ? AND served = 0
     ORDER BY target_id LIMIT ?`,
    campaignId,
    limit,
  );
}

export function markServed(db: Database, campaignId: string, targetId: string): void {
  db.run(
    "UPDATE campaign_targets SET served = 1 WHERE campaign_id = ? AND target_id = ?",
    campaignId,
    targetId,
  );
}

/** Served targets and all of them. */
export function countTargets(db: Database, campaignId: string): { served: number; total: number } {
  return db.get<{ served: number; total: number }>(
    "SELECT coalesce(sum(served), 0) AS served, count(*) AS total FROM campaign_targets WHERE campaign_id = ?",
    campaignId,
  )!;
}

/** A message was sent; `made`: a channel was made for it. */
export function countSent(db: Database, campaignId: string, made: boolean): void {
  db.run(
    "UPDATE campaigns SET messages_sent = messages_sent + 1, channels_created = channels_created + ? WHERE id = ?",
    Number(made),
    campaignId,
  );
}

const RECEIVED = "INSERT OR IGNORE INTO campaign_receivers (campaign_id, user_id, cid, created_at)";

/** A receiver counts once, with the first message that reached it. */
export function insertReceiver(
  db: Database,
  campaignId: string,
  userId: string,
  cid: string,
  at: number,
): void {
  db.run(`${RECEIVED} VALUES (:campaignId, :userId, :cid, :at)`, { campaignId, userId, cid, at });
}

/** The same for all members of a channel but the sender. */
export function insertReceiversIn(
  db: Database,
  campaignId: string,
  senderId: string,
  cid: string,
  at: number,
): void {
  db.run(
    `${RECEIVED} SELECT :campaignId, user_id, cid, :at FROM members WHERE cid = :cid AND user_id <> :senderId`,
    { campaignId, senderId, cid, at },
  );
}

export function countReceivers(db: Database, campaignId: string): number {
  return db.value<number>("SELECT count(*) FROM campaign_receivers WHERE campaign_id = ?", campaignId)!;
}

/** Receivers who have read it. */
export function countReaders(db: Database, campaignId: string): number {
  return db.value<number>(
    `SELECT count(*) FROM campaign_receivers x JOIN reads r ON r.cid = x.cid AND r.user_id = x.user_id
     WHERE x.campaign_id = ? AND r.last_read >= x.created_at`,
    campaignId,
  )!;
}
