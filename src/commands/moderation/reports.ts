/** Lists reports: one per flagged message, with the number of its flags. */
import type { FlagReport } from "../../wire/entities/moderation.ts";
import { filterWith } from "../base/lists/filter.ts";
import { command, rowOf } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { reportsByDate } from "./reports-by-date.ts";

export default command({
  summary: "List flag reports, newest first",
  changes: "nothing",
  examples: ["moderation reports --open", "moderation reports --user bo --json=id,flags_count"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only messages in this channel" },
    user: { kind: "user", help: "Only messages by this user" },
    open: { kind: "flag", help: "Only reports that nobody has reviewed" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
  },
  needs: "secret",
  async *run(call): AsyncIterable<FlagReport> {
    const { args } = call;
    const filter = filterWith(args.filter, {
      ...(args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) }),
      ...(args.user === undefined ? {} : { user_id: args.user }),
      ...(args.open ? { is_reviewed: false } : {}),
    });
    yield* reportsByDate(call, filter);
  },
  show: (report) =>
    rowOf(report, {
      report: "id",
      flags: "flags_count",
      message: "message.id",
      channel: "channel_cid",
      author: "message_user_id",
      result: "review_result",
      text: "message.text",
    }),
});
