/** Reports: one for each flagged message, reviewed by servers (specification/moderation.md §1, §4). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import type { FlagReport } from "../../../../wire/moderation.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
import { actor } from "../../users/rules/acting.ts";
import { BodyReader, jsonBytes, type Fields } from "../../validation/check.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { viewContext, messagesById } from "../../messages/view/messages.ts";
import { EQUAL, flagField, textField, timeField, type Field } from "../../query/filter-fields.ts";
import { looked } from "../../../store/budget.ts";
import { compileFilter } from "../../query/filter.ts";
import { named } from "../../query/listing.ts";
import { compileSort } from "../../query/sort.ts";

interface ReportRow {
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

/** A flag on a message: its report begins, or has news. */
export function reportFlag(
  { db, uuid }: Pick<RouteCall, "db" | "uuid">,
  message: MessageRow,
  now: number,
): void {
  db.run(
    `INSERT INTO flag_reports (id, message_id, author_id, cid, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
     ON CONFLICT (message_id) DO UPDATE SET updated_at = excluded.updated_at`,
    uuid(),
    message.id,
    message.user_id,
    message.cid,
    now,
  );
}

/** The last flag was taken back: a report that nobody has reviewed goes too. */
export function dropReport(db: Database, messageId: string): void {
  db.run(
    `DELETE FROM flag_reports WHERE message_id = ?1 AND reviewed_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM flags WHERE message_id = ?1)`,
    messageId,
  );
}

function reportViews(call: RouteCall, rows: ReportRow[]): FlagReport[] {
  const { db } = call;
  const at = viewContext(db, call.emit, call.now());
  const ids = rows.map((row) => row.message_id);
  const messages = messagesById(at, ids);
  const counts = new Map(
    db
      .all<{ message_id: string; n: number }>(
        `SELECT message_id, count(*) AS n FROM flags WHERE message_id <> ''
         AND message_id IN (SELECT value FROM json_each(?)) GROUP BY message_id`,
        JSON.stringify(ids),
      )
      .map(({ message_id, n }) => [message_id, n]),
  );
  return rows.map((row) => ({
    id: row.id,
    message: messages.get(row.message_id)!,
    flags_count: counts.get(row.message_id) ?? 0,
    message_user_id: row.author_id,
    channel_cid: row.cid,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
    ...(row.reviewed_at === null
      ? {}
      : {
          review_result: row.review_result ?? "",
          review_details: JSON.parse(row.review_details ?? "{}") as Fields,
          reviewed_at: timeFromMicros(row.reviewed_at),
          ...(row.reviewed_by === null ? {} : { reviewed_by: at.people.get(row.reviewed_by) }),
        }),
  }));
}

const FIELDS: Record<string, Field> = {
  id: textField("r.id"),
  report_id: textField("r.id"),
  message_id: textField("r.message_id"),
  channel_cid: textField("r.cid"),
  user_id: textField("r.author_id"),
  message_user_id: textField("r.author_id"),
  review_result: textField("r.review_result", [...EQUAL, "$exists"]),
  is_reviewed: flagField({ text: "r.reviewed_at IS NOT NULL", values: [] }),
  created_at: timeField("r.created_at"),
};
const SORTS = { created_at: "r.created_at", updated_at: "r.updated_at" };

export function queryFlagReports(call: RouteCall): Reply<"queryFlagReports"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const where = compileFilter(body.filter_conditions, named(FIELDS), check);
  const order = compileSort(body.sort, named(SORTS), check, { fallback: "r.created_at DESC", tie: "r.id" });
  const { limit, offset } = check.read(moderationBodies.queryFlagReports);
  check.done();
  const rows = db.raw
    .prepare(
      `SELECT r.* FROM flag_reports r WHERE ${looked("r.created_at")}
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = r.message_id) AND (${where.text}) ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, ...order.values, limit, offset) as unknown as ReportRow[];
  return { flag_reports: reportViews(call, rows) };
}

/** The review stands on the report and on each flag of its message. */
export function reviewFlagReport(call: RouteCall): Reply<"reviewFlagReport"> {
  const { db, path } = call;
  const id = path.id ?? "";
  if (!db.get("SELECT 1 FROM flag_reports WHERE id = ?", id))
    throw new ApiProblem(16, `Report ${id.slice(0, 255)} does not exist`);
  const check = new BodyReader(call.body);
  const { review_result: result, review_details: details = {} } = check.read(
    moderationBodies.reviewFlagReport,
  );
  if (jsonBytes(details) > CUSTOM_DATA_LIMIT)
    check.fail("review_details", `must be at most ${CUSTOM_DATA_LIMIT} bytes of JSON`);
  check.done();
  const me = actor(call);
  const now = call.now();
  const after = db.get<ReportRow>(
    `UPDATE flag_reports SET review_result = ?, review_details = ?, reviewed_at = ?3, reviewed_by = ?4, updated_at = ?3
     WHERE id = ?5 RETURNING *`,
    result,
    JSON.stringify(details),
    now,
    me.id,
    id,
  )!;
  db.run(
    `UPDATE flags SET reviewed_at = ?1, reviewed_by = ?2, review_result = ?3 WHERE message_id = ?4 AND message_id <> ''`,
    now,
    me.id,
    result,
    after.message_id,
  );
  return { flag_report: reportViews(call, [after])[0]! };
}
