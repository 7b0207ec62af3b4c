/** Lists what waits for a moderator: reports that nobody has reviewed, oldest first. */
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { FlagReport } from "../../wire/moderation.ts";
import { byOffset } from "../base/by-offset.ts";
import { command, rowView } from "../base/define-command.ts";
import { cidOf } from "../base/place.ts";

export default command({
  summary: "List reports awaiting a moderator, oldest first",
  examples: ["moderation queue", "moderation queue -c messaging:ops --json=id,message.text"],
  args: { channel: { kind: "channel", short: "c", help: "Only messages in this channel" } },
  needs: "secret",
  async *run(call): AsyncIterable<FlagReport> {
    const { channel } = call.args;
    const filter_conditions = {
      is_reviewed: false,
      ...(channel === undefined ? {} : { channel_cid: await cidOf(call, channel) }),
    };
    yield* byOffset(call.page, QUERY_FLAGS_LIMIT[1], async (span) => {
      const sort = [{ field: "created_at", direction: 1 as const }];
      return (await call.core.call("queryFlagReports", { body: { filter_conditions, sort, ...span } }))
        .flag_reports;
    });
  },
  show: (report) =>
    rowView(
      {
        report: report.id,
        since: report.created_at,
        flags: report.flags_count,
        author: report.message_user_id,
        channel: report.channel_cid,
        text: report.message.text,
      },
      {
        report: "id",
        since: "created_at",
        flags: "flags_count",
        author: "message_user_id",
        channel: "channel_cid",
        text: "message.text",
      },
    ),
});
