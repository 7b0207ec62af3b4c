/** Segments as they travel (specification/campaigns.md §8). */
import type { Segment } from "../../../../wire/segment.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../store/database.ts";
import { BodyReader, type Fields } from "../../validation/check.ts";
import { compileFilter } from "../../query/filter.ts";
import { segmentFields, selection } from "../storage/selection.ts";
import type { SegmentRow } from "../storage/segments.ts";

/** SG-3: counted when it is read; a segment of the sender's channels has no size. */
function sizeOf(db: Database, row: SegmentRow, now: number): number {
  const count = (sql: string, ...values: (string | number)[]): number =>
    (db.raw.prepare(sql).get(...values) as { n: number }).n;
  if (row.all_sender_channels === 1) return 0;
  if (row.all_users === 1)
    return count("SELECT count(*) AS n FROM users WHERE deleted_at IS NULL AND deactivated_at IS NULL");
  if (row.filter === null)
    return count("SELECT count(*) AS n FROM segment_targets WHERE segment_id = ?", row.id);
  const where = compileFilter(JSON.parse(row.filter), segmentFields(row.type, now), new BodyReader({}));
  const picked = selection(row.type, where);
  return count(
    `SELECT count(*) AS n FROM ${picked.from} WHERE ${picked.where}`,
    ...(where.values as (string | number)[]),
  );
}

export function segmentView(db: Database, row: SegmentRow, now: number): Segment {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    description: row.description,
    ...(row.filter === null ? {} : { filter: JSON.parse(row.filter) as Fields }),
    all_users: row.all_users === 1,
    all_sender_channels: row.all_sender_channels === 1,
    size: sizeOf(db, row, now),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}
