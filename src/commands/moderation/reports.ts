/** Lists reports: each flagged message once, with the number of its flags. */
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { FlagReport } from "../../wire/moderation.ts";
import type { Filter } from "../../wire/query.ts";
import { readFilter } from "../base/filter.ts";
import { command } from "../base/define-command.ts";
import { cidOf } from "../base/place.ts";
import { olderAndOlder } from "./older.ts";

export default command({
  summary: "List flag reports, newest first",
  examples: ["moderation reports --open", "moderation reports --user bo --json=id,flags_count"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only messages of this channel" },
    user: { kind: "user", help: "Only messages of this user" },
    open: { kind: "flag", help: "Only reports nobody has reviewed" },
    filter: { kind: "text", value: "json", help: "A filter as JSON" },
  },
  needs: "secret",
  async *run(call): AsyncIterable<FlagReport> {
    const { args, core } = call;
    const filter: Filter = {
      ...(args.filter ? readFilter(args.filter) : {}),
      ...(args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) }),
      ...(args.user === undefined ? {} : { user_id: args.user }),
      ...(args.open ? { is_reviewed: false } : {}),
    };
    yield* olderAndOlder(
      call.page,
      QUERY_FLAGS_LIMIT[1],
      filter,
      (report) => report.id,
      async (span) => (await core.call("queryFlagReports", { body: span })).flag_reports,
    );
  },
  show: (report) => ({
    kind: "table",
    columns: ["report", "flags", "message", "channel", "author", "result", "text"],
    rows: [
      [
        report.id,
        report.flags_count,
        report.message.id,
        report.channel_cid,
        report.message_user_id,
        report.review_result,
        report.message.text,
      ],
    ],
  }),
});
