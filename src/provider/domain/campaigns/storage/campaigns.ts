/** Statements over campaigns. */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import {
  listPage,
  type OrderKey,
  type Cursor,
  bindingOf,
  readCursor,
  type ListPage,
} from "../../query/cursor.ts";
import type { CampaignStatus } from "../../../../wire/entities/campaign.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { EQUAL, textField, timeField, listField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";
import { BodyReader } from "../../validation/check.ts";

export interface CampaignFields {
  name: string;
  description: string;
  sender_id: string;
  sender_mode: string;
  sender_visibility: string;
  message_template: string;
  channel_template: string | null;
  create_channels: number;
  show_channels: number;
  skip_push: number;
  skip_webhook: number;
  segment_ids: string;
  user_ids: string;
}

export interface CampaignRow extends CampaignFields {
  id: string;
  status: CampaignStatus;
  scheduled_for: number | null;
  stop_at: number | null;
  due_at: number | null;
  started_at: number | null;
  completed_at: number | null;
  messages_sent: number;
  channels_created: number;
  created_at: number;
  updated_at: number;
}

export function campaignRow(db: Database, id: string): CampaignRow {
  const row = db.get<CampaignRow>("SELECT * FROM campaigns WHERE id = ?", id);
  if (!row) throw ApiProblem.notFound(`Campaign ${id.slice(0, 255)} does not exist`);
  return row;
}

/** The columns that a request can write. */
const COLUMNS = [
  "name",
  "description",
  "sender_id",
  "sender_mode",
  "sender_visibility",
  "message_template",
  "channel_template",
  "create_channels",
  "show_channels",
  "skip_push",
  "skip_webhook",
  "segment_ids",
  "user_ids",
] as const satisfies (keyof CampaignFields)[];

const INSERT = `INSERT INTO campaigns (id, status, created_at, updated_at, ${COLUMNS.join(", ")})
  VALUES (:id, 'draft', :now, :now, ${COLUMNS.map((name) => `:${name}`).join(", ")})`;
const UPDATE = `UPDATE campaigns SET updated_at = :now, ${COLUMNS.map((name) => `${name} = :${name}`).join(", ")} WHERE id = :id`;

/** Inserts a draft. */
export function insertCampaign(db: Database, id: string, fields: CampaignFields, now: number): void {
  db.run(INSERT, { ...fields, id, now });
}

export function storeCampaign(db: Database, id: string, fields: CampaignFields, now: number): void {
  db.run(UPDATE, { ...fields, id, now });
}

export function hasCampaign(db: Database, id: string): boolean {
  return db.has("SELECT 1 FROM campaigns WHERE id = ?", id);
}

/** Also removes its targets and receivers. */
export function removeCampaign(db: Database, id: string): void {
  db.run("DELETE FROM campaign_targets WHERE campaign_id = ?", id);
  db.run("DELETE FROM campaign_receivers WHERE campaign_id = ?", id);
  db.run("DELETE FROM campaigns WHERE id = ?", id);
}

/** The id of a scheduled or running campaign that uses the segment. */
export function campaignUsingSegment(db: Database, segmentId: string): string | undefined {
  return db.value<string>(
    `SELECT c.id FROM campaigns c, json_each(c.segment_ids) s WHERE c.status IN ('scheduled', 'in_progress')
     AND s.value = ? LIMIT 1`,
    segmentId,
  );
}

export function scheduleCampaign(
  db: Database,
  schedule: { id: string; from: number; stopAt: number | null; now: number },
): void {
  db.run(
    `UPDATE campaigns SET status = 'scheduled', scheduled_for = :from, stop_at = :stopAt, due_at = :from,
     updated_at = :now WHERE id = :id`,
    schedule,
  );
}

/** The first batch is due at once. */
export function markStarted(db: Database, row: CampaignRow, now: number): void {
  db.run(
    `UPDATE campaigns SET status = 'in_progress', started_at = coalesce(started_at, :now), completed_at = NULL,
     scheduled_for = :scheduled_for, stop_at = :stop_at, due_at = :now, updated_at = :now WHERE id = :id`,
    { ...row, now },
  );
}

export function markBatchDone(db: Database, id: string, now: number): void {
  db.run("UPDATE campaigns SET due_at = ?1, updated_at = ?1 WHERE id = ?2", now, id);
}

export function markStopped(db: Database, id: string, now: number): void {
  db.run("UPDATE campaigns SET status = 'stopped', due_at = NULL, updated_at = ? WHERE id = ?", now, id);
}

export function markCompleted(db: Database, id: string, now: number): void {
  db.run(
    "UPDATE campaigns SET status = 'completed', completed_at = ?1, due_at = NULL, updated_at = ?1 WHERE id = ?2",
    now,
    id,
  );
}

/** The campaign with the earliest start or next batch. */
export function firstCampaignDue(db: Database): CampaignRow | undefined {
  return db.get<CampaignRow>("SELECT * FROM campaigns WHERE due_at IS NOT NULL ORDER BY due_at, id LIMIT 1");
}

const SORTS = new Set(["id", "name", "status", "sender_id", "scheduled_for", "created_at", "updated_at"]);

export const CAMPAIGN_LIST: ListDefinition<CampaignRow> = {
  name: "campaigns",
  from: "campaigns c",
  columns: "c.*",
  fields: ownEntry({
    id: textField("c.id"),
    name: textField("c.name", [...EQUAL, "$autocomplete", "$q"]),
    status: textField("c.status"),
    sender_id: textField("c.sender_id"),
    segment_ids: listField("c.segment_ids", ["$eq", "$in", "$contains"]),
    user_ids: listField("c.user_ids", ["$eq", "$in", "$contains"]),
    scheduled_for: timeField("c.scheduled_for"),
    created_at: timeField("c.created_at"),
    updated_at: timeField("c.updated_at"),
  }),
  orders: (name) => (SORTS.has(name) ? `c.${name}` : undefined),
  fallback: [{ expression: "c.created_at", direction: -1 }],
  tie: { expression: "c.id", direction: -1 },
  limit: campaignBodies.queryCampaigns.limit,
};

const USERS_ORDER: OrderKey[] = [{ expression: "u.id", direction: 1 }];
const usersBinding = (id: string): string => bindingOf("campaign users", id);

export const readUsersCursor = (check: BodyReader, campaignId: string): Cursor | undefined =>
  readCursor(check, usersBinding(campaignId), USERS_ORDER);

/** The users in a campaign's `user_ids`, sorted by id. */
export function campaignUsersPage(
  db: Database,
  campaignId: string,
  page: { limit: number; cursor?: Cursor | undefined },
): ListPage<UserRow> {
  return listPage<UserRow>(db, {
    columns: "u.*",
    from: "campaigns c, json_each(c.user_ids) j JOIN users u ON u.id = j.value",
    where: { text: "c.id = ?", values: [campaignId] },
    keys: USERS_ORDER,
    limit: page.limit,
    binding: usersBinding(campaignId),
    cursor: page.cursor,
  });
}
