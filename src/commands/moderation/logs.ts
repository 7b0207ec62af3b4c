/** Lists what moderators decided about reports, newest report first. */
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { FlagReport } from "../../wire/moderation.ts";
import { newestFirst } from "../base/by-offset.ts";
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List moderators' decisions on reports, newest report first",
  examples: ["moderation logs", "moderation logs --user bo --all --json"],
  args: { user: { kind: "user", help: "Only messages by this user" } },
  needs: "secret",
  async *run({ args, core, page }): AsyncIterable<FlagReport> {
    const filter = { is_reviewed: true, ...(args.user === undefined ? {} : { user_id: args.user }) };
    yield* newestFirst(
      page,
      QUERY_FLAGS_LIMIT[1],
      filter,
      (report) => report.id,
      async (span) => (await core.call("queryFlagReports", { body: span })).flag_reports,
    );
  },
  show: (report) =>
    rowView(
      {
        at: report.reviewed_at,
        by: report.reviewed_by?.id,
        result: report.review_result,
        report: report.id,
        author: report.message_user_id,
        message: report.message.id,
        text: report.message.text,
      },
      {
        at: "reviewed_at",
        by: "reviewed_by.id",
        result: "review_result",
        report: "id",
        author: "message_user_id",
        message: "message.id",
        text: "message.text",
      },
    ),
});
