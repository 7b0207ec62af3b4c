/** Lists reviewed reports, newest first. */
import type { FlagReport } from "../../wire/entities/moderation.ts";
import { command, rowOf } from "../base/define-command.ts";
import { reportsByDate } from "./reports-by-date.ts";

export default command({
  summary: "List moderators' decisions on reports, newest report first",
  changes: "nothing",
  examples: ["moderation logs", "moderation logs --user bo --all --json"],
  args: { user: { kind: "user", help: "Only messages by this user" } },
  needs: "secret",
  run: (call): AsyncIterable<FlagReport> =>
    reportsByDate(call, {
      is_reviewed: true,
      ...(call.args.user === undefined ? {} : { user_id: call.args.user }),
    }),
  show: (report) =>
    rowOf(report, {
      at: "reviewed_at",
      by: "reviewed_by.id",
      result: "review_result",
      report: "id",
      author: "message_user_id",
      message: "message.id",
      text: "message.text",
    }),
});
