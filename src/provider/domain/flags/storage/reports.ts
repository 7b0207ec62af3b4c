/** Statements over reports: one for each flagged message. */
import { withinBudget } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import { EQUAL, flagField, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type Match, type OffsetListDefinition } from "../../query/listing.ts";

export interface ReportRow {
  id: string;
  message_id: string;
  author_id: string;
  cid: string;
  created_at: number;
  updated_at: number;
  review_result: string | null;
  review_details: string | null;
  reviewed_at: number | null;
  reviewed_by: string | null;
}

/** Inserts the report of a message, or updates its `updated_at`. */
export function storeReport(
  db: Database,
  report: Pick<ReportRow, "id" | "message_id" | "author_id" | "cid" | "created_at">,
): void {
  db.run(
    `INSERT INTO flag_reports (id, message_id, author_id, cid, created_at, updated_at)
     VALUES (:id, :message_id, :author_id, :cid, :created_at, :created_at)
     ON CONFLICT (message_id) DO UPDATE SET updated_at = excluded.updated_at`,
    report,
  );
}

/** Removes the report of a message without flags, unless it was reviewed. */
export function removeEmptyReport(db: Database, messageId: string): void {
  db.run(
    `DELETE FROM flag_reports WHERE message_id = ?1 AND reviewed_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM flags WHERE message_id = ?1)`,
    messageId,
  );
}

export function hasReport(db: Database, id: string): boolean {
  return db.has("SELECT 1 FROM flag_reports WHERE id = ?", id);
}

/** Stores a review and returns the report. */
export function reviewReport(
  db: Database,
  review: Pick<ReportRow, "id" | "review_result" | "review_details" | "reviewed_at" | "reviewed_by">,
): ReportRow {
  return db.get<ReportRow>(
    `UPDATE flag_reports SET review_result = :review_result, review_details = :review_details,
     reviewed_at = :reviewed_at, reviewed_by = :reviewed_by, updated_at = :reviewed_at WHERE id = :id RETURNING *`,
    review,
  )!;
}

export const REPORT_LIST: OffsetListDefinition = {
  fields: ownEntry({
    id: textField("r.id"),
    report_id: textField("r.id"),
    message_id: textField("r.message_id"),
    channel_cid: textField("r.cid"),
    user_id: textField("r.author_id"),
    message_user_id: textField("r.author_id"),
    review_result: textField("r.review_result", [...EQUAL, "$exists"]),
    is_reviewed: flagField({ text: "r.reviewed_at IS NOT NULL", values: [] }),
    created_at: timeField("r.created_at"),
  }),
  sorts: ownEntry({ created_at: "r.created_at", updated_at: "r.updated_at" }),
  fallback: "r.created_at DESC",
  tie: "r.id",
};

export function reportsPage(
  db: Database,
  { where, order, limit, offset }: Match & { limit: number; offset: number },
): ReportRow[] {
  return db.raw
    .prepare(
      `SELECT r.* FROM flag_reports r WHERE ${withinBudget("r.created_at")}
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = r.message_id) AND (${where.text}) ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, ...order.values, limit, offset) as unknown as ReportRow[];
}
