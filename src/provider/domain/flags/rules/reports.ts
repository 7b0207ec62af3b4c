/** Routes of reports: one for each flagged message, reviewed by servers (specification/moderation.md §1, §4). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import type { FlagReport } from "../../../../wire/entities/moderation.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, jsonBytes, type Fields } from "../../validation/check.ts";
import { messagesById } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { offsetPage, readMatch } from "../../query/listing.ts";
import { flagCounts, flags } from "../storage/flags.ts";
import { flagReports, ofExistingMessages, REPORT_LIST, type ReportRow } from "../storage/reports.ts";

function reportViews(call: RouteCall, rows: ReportRow[]): FlagReport[] {
  const { db } = call;
  const context = viewContext(db, call.emit, call.now());
  const ids = rows.map((row) => row.message_id);
  const messages = messagesById(context, ids);
  const counts = flagCounts(db, ids);
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
          ...(row.reviewed_by === null ? {} : { reviewed_by: context.people.get(row.reviewed_by) }),
        }),
  }));
}

export function queryFlagReports(call: RouteCall): Reply<"queryFlagReports"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const match = readMatch(check, body, REPORT_LIST);
  const { limit, offset } = check.read(moderationBodies.queryFlagReports);
  check.done();
  const rows = offsetPage(db, REPORT_LIST, { ...match, limit, offset }, ofExistingMessages);
  return { flag_reports: reportViews(call, rows) };
}

/** Stores the review in the report and in each flag of its message. */
export function reviewFlagReport(call: RouteCall): Reply<"reviewFlagReport"> {
  const { db, path } = call;
  const report = flagReports.need(db, { id: path.id ?? "" });
  const check = new BodyReader(call.body);
  const { review_result: result, review_details: details = {} } = check.read(
    moderationBodies.reviewFlagReport,
  );
  if (jsonBytes(details) > CUSTOM_DATA_LIMIT)
    check.fail("review_details", `must be at most ${CUSTOM_DATA_LIMIT} bytes of JSON`);
  check.done();
  const me = actor(call);
  const now = call.now();
  const review = { review_result: result, reviewed_at: now, reviewed_by: me.id };
  const after = flagReports.update(db, report, {
    ...review,
    review_details: JSON.stringify(details),
    updated_at: now,
  });
  flags.change(db, { message_id: after.message_id }, review);
  return { flag_report: reportViews(call, [after])[0]! };
}
