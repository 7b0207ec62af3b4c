/** The tables of segments and of the targets of manual segments, and their lists. */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { EQUAL, RANGE, textField, numberField, boolField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";

export const storedSegments = table(
  "segments",
  {
    id: TEXT.key,
    type: TEXT.as<"user" | "channel">(),
    name: TEXT,
    description: TEXT,
    /** JSON. */
    filter: TEXT.null,
    all_users: INTEGER,
    all_sender_channels: INTEGER,
    created_at: INTEGER,
    updated_at: INTEGER,
  },
  { noun: "Segment", indexes: { segments_by_age: "(created_at DESC, id DESC)" } },
);
export type SegmentRow = RowOf<typeof storedSegments>;

/** The targets of manual segments. */
export const segmentTargets = table("segment_targets", {
  segment_id: TEXT.key,
  target_id: TEXT.key,
  created_at: INTEGER,
});

export const isManual = (row: SegmentRow): boolean =>
  row.filter === null && row.all_users === 0 && row.all_sender_channels === 0;

export function addTargets(db: Database, segmentId: string, targetIds: readonly string[], now: number): void {
  db.run(
    `INSERT OR IGNORE INTO segment_targets (segment_id, target_id, created_at)
     SELECT :segmentId, value, :now FROM json_each(:ids)`,
    { segmentId, now, ids: JSON.stringify(targetIds) },
  );
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
  fallback: [{ expression: "s.created_at", direction: -1, notNull: true }],
  tie: { expression: "s.id", direction: -1, notNull: true },
  limit: campaignBodies.querySegments.limit,
};

export const TARGET_LIST: ListDefinition<RowOf<typeof segmentTargets>> = {
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
  tie: { expression: "t.target_id", direction: 1, notNull: true },
  limit: campaignBodies.querySegmentTargets.limit,
};
