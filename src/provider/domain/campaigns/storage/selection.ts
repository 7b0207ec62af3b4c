/** Turns the filter of a segment into a query over users or channels (SG-4). */
import type { SQLInputValue } from "node:sqlite";
import { channelFields } from "../../channels/storage/filter.ts";
import { type CompiledFilter, type FieldLookup, compileFilter } from "../../query/filter.ts";
import { serverUserField } from "../../users/storage/filter.ts";
import type { Database } from "../../../base/database.ts";
import { BodyReader } from "../../validation/check.ts";
import type { SegmentRow } from "./segments.ts";

/** The fields that a segment can filter by: those of users or of channels (SG-4). */
export const segmentFields = (type: string, now: number): FieldLookup =>
  type === "user" ? serverUserField : channelFields(undefined, now);

/** FROM and WHERE of the query for a compiled segment filter. */
export function segmentQuery(type: string, where: CompiledFilter): { from: string; where: string } {
  return type === "user"
    ? { from: "users u", where: `u.deleted_at IS NULL AND u.deactivated_at IS NULL AND (${where.text})` }
    : {
        from: `channels c LEFT JOIN members me ON me.cid = c.cid AND me.user_id = ''
               LEFT JOIN reads r ON r.cid = c.cid AND r.user_id = ''`,
        where: `c.deleted_at IS NULL AND (${where.text})`,
      };
}

const count = (db: Database, sql: string, ...values: readonly SQLInputValue[]): number =>
  (db.raw.prepare(sql).get(...values) as { n: number }).n;

/** SG-3: counted when asked for; 0 for a segment of the sender's channels, which depends on the sender. */
export function segmentSize(db: Database, row: SegmentRow, now: number): number {
  if (row.all_sender_channels === 1) return 0;
  if (row.all_users === 1)
    return count(db, "SELECT count(*) AS n FROM users WHERE deleted_at IS NULL AND deactivated_at IS NULL");
  if (row.filter === null)
    return count(db, "SELECT count(*) AS n FROM segment_targets WHERE segment_id = ?", row.id);
  const where = compileFilter(JSON.parse(row.filter), segmentFields(row.type, now), new BodyReader({}));
  const query = segmentQuery(row.type, where);
  return count(db, `SELECT count(*) AS n FROM ${query.from} WHERE ${query.where}`, ...where.values);
}
