/** Lists the user's reminders by time, bookmarks last. */
import type { Filter } from "../../wire/entities/query.ts";
import { REMINDERS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { CommandError, command, rowOf } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List your reminders and bookmarks",
  changes: "nothing",
  chatAlias: "reminders",
  examples: ["reminder list --overdue", "reminder list --bookmarks --json=message_id"],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only for messages in this channel" },
    overdue: { kind: "flag", help: "Only reminders that are due" },
    upcoming: { kind: "flag", help: "Only reminders not yet due" },
    bookmarks: { kind: "flag", help: "Only bookmarks (reminders without a time)" },
  },
  async *run(call) {
    const { args, core } = call;
    if ([args.overdue, args.upcoming, args.bookmarks].filter(Boolean).length > 1)
      throw new CommandError("usage", "--overdue, --upcoming and --bookmarks cannot be combined.");
    const now = new Date(call.now()).toISOString();
    const filter: Filter = {
      ...(args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) }),
      ...(args.overdue ? { remind_at: { $lte: now } } : {}),
      ...(args.upcoming ? { remind_at: { $gt: now } } : {}),
      ...(args.bookmarks ? { remind_at: null } : {}),
    };
    yield* byCursor(call.page, REMINDERS_LIMIT[1], itemName("reminders"), (pageQuery, once) =>
      core.reminders.page({ filter, ...pageQuery, ...once }),
    );
  },
  show: (reminder) =>
    rowOf(reminder, {
      message: "message_id",
      at: { field: "remind_at", cell: reminder.remind_at ?? "bookmark" },
      channel: "channel_cid",
      text: "message.text",
    }),
});
