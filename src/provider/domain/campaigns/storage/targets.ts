/** The targets of a campaign's run, fixed at its start, and the receivers of its message. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT } from "../../../store/table.ts";
import { BodyReader } from "../../validation/check.ts";
import { compileFilter } from "../../query/filter.ts";
import type { CampaignRow } from "./campaigns.ts";
import { storedSegments, type SegmentRow } from "./segments.ts";
import { segmentFields, segmentQuery } from "./selection.ts";

/** Whom a run serves, fixed at its start; who was served stays served. */
export const campaignTargets = table(
  "campaign_targets",
  {
    campaign_id: TEXT.key,
    target_id: TEXT.key,
    kind: TEXT.as<"user" | "channel">(),
    served: INTEGER.default(0),
  },
  { indexes: { campaign_targets_waiting: "(campaign_id, target_id) WHERE served = 0" } },
);

/** Who received the message, and when in which channel, so that it is known who has read it. */
export const campaignReceivers = table("campaign_receivers", {
  campaign_id: TEXT.key,
  user_id: TEXT.key,
  cid: TEXT,
  created_at: INTEGER,
});

export interface CampaignTarget {
  id: string;
  kind: "user" | "channel";
}

/** A user `u` who can be a target: not the sender, not deleted or deactivated. */
const REACHABLE = "u.deleted_at IS NULL AND u.deactivated_at IS NULL AND u.id <> ?";
const INSERT_TARGETS = "INSERT OR IGNORE INTO campaign_targets (campaign_id, target_id, kind)";

/** Targets that an earlier run served are kept and not served again. */
export function freezeTargets(db: Database, row: CampaignRow, now: number): void {
  campaignTargets.remove(db, { campaign_id: row.id, served: 0 });
  db.run(
    `${INSERT_TARGETS} SELECT ?, u.id, 'user' FROM json_each(?) j JOIN users u ON u.id = j.value WHERE ${REACHABLE}`,
    row.id,
    row.user_ids,
    row.sender_id,
  );
  for (const id of JSON.parse(row.segment_ids) as string[]) {
    const segment = storedSegments.find(db, { id });
    if (segment) freezeSegment(db, row, segment, now);
  }
}

/** SG-4: the filter of a segment is evaluated now. */
function freezeSegment(db: Database, row: CampaignRow, segment: SegmentRow, now: number): void {
  const { id, sender_id: sender } = row;
  if (segment.all_users === 1)
    db.run(`${INSERT_TARGETS} SELECT ?, u.id, 'user' FROM users u WHERE ${REACHABLE}`, id, sender);
  else if (segment.all_sender_channels === 1)
    db.run(
      `${INSERT_TARGETS} SELECT ?, c.cid, 'channel' FROM members m JOIN channels c ON c.cid = m.cid
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
    const query = segmentQuery(segment.type, where);
    const key = segment.type === "user" ? "u.id" : "c.cid";
    db.raw
      .prepare(
        `${INSERT_TARGETS} SELECT ?, ${key}, '${segment.type}' FROM ${query.from} WHERE ${query.where} AND ${key} <> ?`,
      )
      .run(id, ...where.values, segment.type === "user" ? sender : "");
  } else if (segment.type === "user")
    db.run(
      `${INSERT_TARGETS} SELECT ?, u.id, 'user' FROM segment_targets t JOIN users u ON u.id = t.target_id
       WHERE t.segment_id = ? AND ${REACHABLE}`,
      id,
      segment.id,
      sender,
    );
  else
    db.run(
      `${INSERT_TARGETS} SELECT ?, c.cid, 'channel' FROM segment_targets t JOIN channels c ON c.cid = t.target_id
       WHERE t.segment_id = ? AND c.deleted_at IS NULL`,
      id,
      segment.id,
    );
}

/** The next targets to serve, sorted by id. */
export const unservedTargets = (db: Database, campaignId: string, limit: number): CampaignTarget[] =>
  campaignTargets
    .list(db, { campaign_id: campaignId, served: 0 }, { by: ["target_id"], limit })
    .map(({ target_id: id, kind }) => ({ id, kind }));

export function countTargets(db: Database, campaignId: string): { served: number; total: number } {
  return db.get<{ served: number; total: number }>(
    "SELECT coalesce(sum(served), 0) AS served, count(*) AS total FROM campaign_targets WHERE campaign_id = ?",
    campaignId,
  )!;
}

/** Counts a sent message, and its channel if that was created for it. */
export function countSent(db: Database, campaignId: string, channelCreated: boolean): void {
  db.run(
    "UPDATE campaigns SET messages_sent = messages_sent + 1, channels_created = channels_created + ? WHERE id = ?",
    Number(channelCreated),
    campaignId,
  );
}

/** Inserts all members of a channel but the sender. */
export function insertReceiversIn(
  db: Database,
  campaignId: string,
  senderId: string,
  cid: string,
  sentAt: number,
): void {
  db.run(
    `INSERT OR IGNORE INTO campaign_receivers (campaign_id, user_id, cid, created_at)
     SELECT :campaignId, user_id, cid, :at FROM members WHERE cid = :cid AND user_id <> :senderId`,
    { campaignId, senderId, cid, at: sentAt },
  );
}

/** The receivers who have read the message. */
export function countReaders(db: Database, campaignId: string): number {
  return db.value<number>(
    `SELECT count(*) FROM campaign_receivers x JOIN reads r ON r.cid = x.cid AND r.user_id = x.user_id
     WHERE x.campaign_id = ? AND r.last_read >= x.created_at`,
    campaignId,
  )!;
}
