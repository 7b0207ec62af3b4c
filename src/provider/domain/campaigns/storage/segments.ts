/** Statements over segments and the targets of manual segments. */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { EQUAL, RANGE, textField, numberField, boolField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";

export interface SegmentRow {
  id: string;
  type: "user" | "channel";
  name: string;
  description: string;
  filter: string | null;
  all_users: number;
  all_sender_channels: number;
  created_at: number;
  updated_at: number;
}

export const isManual = (row: SegmentRow): boolean =>
  row.filter === null && row.all_users === 0 && row.all_sender_channels === 0;

export function findSegment(db: Database, id: string): SegmentRow | undefined {
  return db.get<SegmentRow>("SELECT * FROM segments WHERE id = ?", id);
}

/** Throws code 16 for an unknown segment. */
export function segmentRow(db: Database, id: string): SegmentRow {
  const row = findSegment(db, id);
  if (!row) throw ApiProblem.notFound(`Segment ${id.slice(0, 255)} does not exist`);
  return row;
}

export function insertSegment(db: Database, segment: Omit<SegmentRow, "updated_at">): void {
  db.run(
    `INSERT INTO segments (id, type, name, description, filter, all_users, all_sender_channels, created_at, updated_at)
     VALUES (:id, :type, :name, :description, :filter, :all_users, :all_sender_channels, :created_at, :created_at)`,
    segment,
  );
}

export function storeSegment(db: Database, segment: SegmentRow): void {
  db.run(
    `UPDATE segments SET name = :name, description = :description, filter = :filter, updated_at = :updated_at
     WHERE id = :id`,
    segment,
  );
}

/** Also removes its targets. */
export function removeSegment(db: Database, id: string): void {
  db.run("DELETE FROM segment_targets WHERE segment_id = ?", id);
  db.run("DELETE FROM segments WHERE id = ?", id);
}

export function addTargets(db: Database, id: string, targetIds: readonly string[], now: number): void {
  db.run(
    `INSERT OR IGNORE INTO segment_targets (segment_id, target_id, created_at)
     SELECT ?, value, ? FROM json_each(?)`,
    id,
    now,
    JSON.stringify(targetIds),
  );
  touchSegment(db, id, now);
}

export function removeTargets(db: Database, id: string, targetIds: readonly string[], now: number): void {
  db.run(
    "DELETE FROM segment_targets WHERE segment_id = ? AND target_id IN (SELECT value FROM json_each(?))",
    id,
    JSON.stringify(targetIds),
  );
  touchSegment(db, id, now);
}

function touchSegment(db: Database, id: string, now: number): void {
  db.run("UPDATE segments SET updated_at = ? WHERE id = ?", now, id);
}

export function isTarget(db: Database, id: string, targetId: string): boolean {
  return db.has("SELECT 1 FROM segment_targets WHERE segment_id = ? AND target_id = ?", id, targetId);
}

const SORTS = new Set(["id", "name", "type", "created_at", "updated_at"]);

export const SEGMENT_LIST: ListDefinition<SegmentRow> = {
  name: "segments",
  from: "segments s",
  columns: "s.*",
  fields: ownEntry({
    id: textField("s.id"),
    type: textField("s.type"),
    name: textField("s.name", [...EQUAL, "$autocomplete", "$q"]),
    description: textField("s.description", [...EQUAL, "$autocomplete", "$q"]),
    all_users: boolField("s.all_users"),
    all_sender_channels: boolField("s.all_sender_channels"),
    size: numberField("(SELECT count(*) FROM segment_targets t WHERE t.segment_id = s.id)"),
    created_at: timeField("s.created_at"),
    updated_at: timeField("s.updated_at"),
  }),
  orders: (name) => (SORTS.has(name) ? `s.${name}` : undefined),
  fallback: [{ expression: "s.created_at", direction: -1 }],
  tie: { expression: "s.id", direction: -1 },
  limit: campaignBodies.querySegments.limit,
};

interface TargetRow {
  segment_id: string;
  target_id: string;
  created_at: number;
}

export const TARGET_LIST: ListDefinition<TargetRow> = {
  name: "segment targets",
  from: "segment_targets t",
  columns: "t.*",
  of: "t.segment_id = ?",
  fields: ownEntry({
    target_id: textField("t.target_id", [...EQUAL, ...RANGE.slice(2)]),
    created_at: timeField("t.created_at"),
  }),
  orders: ownEntry({ created_at: "t.created_at", target_id: "t.target_id" }),
  fallback: [],
  tie: { expression: "t.target_id", direction: 1 },
  limit: campaignBodies.querySegmentTargets.limit,
};
