/** The table of reports and their list: one for each flagged message. */
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { EQUAL, flagField, textField, timeField, type Sql } from "../../query/filter-fields.ts";
import { ownEntry, type OffsetListDefinition } from "../../query/listing.ts";

export const flagReports = table(
  "flag_reports",
  {
    id: TEXT.key,
    message_id: TEXT.unique,
    author_id: TEXT,
    cid: TEXT,
    created_at: INTEGER,
    updated_at: INTEGER,
    review_result: TEXT.null,
    review_details: TEXT.null,
    reviewed_at: INTEGER.null,
    reviewed_by: TEXT.null,
  },
  { noun: "Report", indexes: { flag_reports_by_age: "(created_at DESC, id)" } },
);
export type ReportRow = RowOf<typeof flagReports>;

export const REPORT_LIST: OffsetListDefinition<ReportRow> = {
  columns: "r.*",
  from: "flag_reports r",
  counted: "r.created_at",
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

/** A condition on the list of reports: their message exists. */
export const ofExistingMessages: Sql = {
  text: "EXISTS (SELECT 1 FROM messages m WHERE m.id = r.message_id)",
  values: [],
};
