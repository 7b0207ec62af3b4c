/** Lists unreviewed reports, oldest first. */
import type { FlagReport } from "../../wire/entities/moderation.ts";
import { command, rowOf } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { reportsByDate } from "./reports-by-date.ts";

export default command({
  summary: "List reports awaiting a moderator, oldest first",
  changes: "nothing",
  examples: ["moderation queue", "moderation queue -c messaging:ops --json=id,message.text"],
  args: { channel: { kind: "channel", short: "c", help: "Only messages in this channel" } },
  needs: "secret",
  async *run(call): AsyncIterable<FlagReport> {
    const { channel } = call.args;
    const filter_conditions = {
      is_reviewed: false,
      ...(channel === undefined ? {} : { channel_cid: await cidOf(call, channel) }),
    };
    yield* reportsByDate(call, filter_conditions, 1);
  },
  show: (report) =>
    rowOf(report, {
      report: "id",
      since: "created_at",
      flags: "flags_count",
      author: "message_user_id",
      channel: "channel_cid",
      text: "message.text",
    }),
});
