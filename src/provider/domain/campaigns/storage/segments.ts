/** Segments as they are stored. */
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";

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

/** The segment, else 404 code 16. */
export function segmentRow(db: Database, id: string): SegmentRow {
  const row = findSegment(db, id);
  if (!row) throw new ApiProblem(16, `Segment ${id.slice(0, 255)} does not exist`);
  return row;
}
