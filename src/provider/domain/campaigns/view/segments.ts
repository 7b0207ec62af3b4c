/** Segments in answers (specification/campaigns.md §8). */
import type { Segment } from "../../../../wire/entities/segment.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import type { Fields } from "../../validation/check.ts";
import type { SegmentRow } from "../storage/segments.ts";
import { segmentSize } from "../storage/selection.ts";

export function segmentView(db: Database, row: SegmentRow, now: number): Segment {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    description: row.description,
    ...(row.filter === null ? {} : { filter: JSON.parse(row.filter) as Fields }),
    all_users: row.all_users === 1,
    all_sender_channels: row.all_sender_channels === 1,
    size: segmentSize(db, row, now),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}
