/** Running campaigns: whom a run serves, its turns of fifty targets, and its end (specification/campaigns.md §9). */
import { CAMPAIGN_BATCH } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import type { Due, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../store/database.ts";
import { BodyReader } from "../../validation/check.ts";
import { attempt } from "../../query/attempt.ts";
import { compileFilter } from "../../query/filter.ts";
import { segmentFields, selection } from "../storage/selection.ts";
import { findSegment, type SegmentRow } from "../storage/segments.ts";
import { serve, type Target } from "./serve.ts";
import { campaignView } from "../view/campaigns.ts";
import { campaignRow, type CampaignRow } from "../storage/campaigns.ts";

type Running = Pick<RouteCall, "db" | "emit" | "now" | "uuid">;

/** Users of an event: enough to know whom it is about, however many are meant. */
const TOLD_USERS = 30;

/** RUN-14: to servers only. */
function tell(at: Running, type: "campaign.started" | "campaign.completed", id: string): void {
  const { campaign } = campaignView(at, campaignRow(at.db, id), { limit: TOLD_USERS });
  at.emit.server({ type, campaign });
}

/** RUN-2: freezes the targets; those an earlier run served stay served. */
export function begin(at: Running, row: CampaignRow): void {
  const { db } = at;
  const now = at.now();
  db.run("DELETE FROM campaign_targets WHERE campaign_id = ? AND served = 0", row.id);
  freeze(db, row, now);
  db.run(
    `UPDATE campaigns SET status = 'in_progress', started_at = coalesce(started_at, ?1), completed_at = NULL,
     scheduled_for = ?2, stop_at = ?3, due_at = ?1, updated_at = ?1 WHERE id = ?4`,
    now,
    row.scheduled_for,
    row.stop_at,
    row.id,
  );
  tell(at, "campaign.started", row.id);
}

/** Stops what waits or runs: nobody is served after this (RUN-12). */
export function halt({ db, now }: Pick<Running, "db" | "now">, row: CampaignRow): void {
  db.run(
    "UPDATE campaigns SET status = 'stopped', due_at = NULL, updated_at = ? WHERE id = ?",
    now(),
    row.id,
  );
}

/** Users that get nothing: the sender, deleted and deactivated ones, and ids of nobody. */
const LIVING = "u.deleted_at IS NULL AND u.deactivated_at IS NULL AND u.id <> ?";
const INTO = "INSERT OR IGNORE INTO campaign_targets (campaign_id, target_id, kind)";

function freeze(db: Database, row: CampaignRow, now: number): void {
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

const dueCampaign = (db: Database): CampaignRow | undefined =>
  db.get<CampaignRow>("SELECT * FROM campaigns WHERE due_at IS NOT NULL ORDER BY due_at, id LIMIT 1");

/** RUN-1: stored, so that a start-up goes on where the last turn ended. */
export const campaignWork: DueWork = {
  name: "campaigns",
  next: (db) => dueCampaign(db)?.due_at ?? undefined,
  run(due) {
    const row = dueCampaign(due.db);
    if (!row) return;
    // RUN-15: whose end has passed is not begun any more
    if (row.stop_at !== null && row.stop_at <= due.now()) halt(due, row);
    else if (row.status === "scheduled") begin(due, row);
    else turn(due, row);
  },
};

function passedOver(due: Due, row: CampaignRow, target: Target, thrown: unknown): void {
  const why = thrown instanceof ApiProblem ? thrown.message : String((thrown as Error)?.stack ?? thrown);
  due.failed?.(`campaign ${row.id}: ${target.kind} ${target.id} was passed over: ${why}`);
}

/** RUN-3, RUN-11, RUN-13. */
function turn(due: Due, row: CampaignRow): void {
  const { db } = due;
  const targets = db.all<Target>(
    `SELECT target_id AS id, kind FROM campaign_targets WHERE campaign_id = ? AND served = 0
     ORDER BY target_id LIMIT ?`,
    row.id,
    CAMPAIGN_BATCH,
  );
  for (const target of targets) {
    if (row.stop_at !== null && row.stop_at <= due.now()) return halt(due, row);
    // a target that fails is passed over; its half-done writes are not kept
    const outcome = attempt(due, (emit) => serve({ ...due, emit }, row, target));
    if ("thrown" in outcome) passedOver(due, row, target, outcome.thrown);
    db.run(
      "UPDATE campaign_targets SET served = 1 WHERE campaign_id = ? AND target_id = ?",
      row.id,
      target.id,
    );
  }
  const now = due.now();
  if (targets.length === CAMPAIGN_BATCH) {
    db.run("UPDATE campaigns SET due_at = ?1, updated_at = ?1 WHERE id = ?2", now, row.id);
    return;
  }
  db.run(
    `UPDATE campaigns SET status = 'completed', completed_at = ?1, due_at = NULL, updated_at = ?1 WHERE id = ?2`,
    now,
    row.id,
  );
  tell(due, "campaign.completed", row.id);
}
