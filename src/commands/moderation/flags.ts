/** Lists flagged messages, newest flag first. */
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { MessageFlag } from "../../wire/entities/moderation.ts";
import { byCreation } from "../base/lists/by-offset.ts";
import { filterWith } from "../base/lists/filter.ts";
import { command, rowOf } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { SERVER } from "../base/server-flag.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List flagged messages, newest flag first",
  changes: "nothing",
  examples: ["moderation flags --open", "moderation flags -c messaging:ops --json=message.id,reason"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only messages in this channel" },
    author: { kind: "user", help: "Only flags on messages of this user" },
    by: { kind: "user", help: "Only flags raised by this user" },
    open: { kind: "flag", help: "Only flags that nobody has reviewed" },
    deleted: { kind: "flag", help: "Include flags on deleted messages" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
    server: SERVER,
  },
  asApp: (args) => args.server === true,
  async *run(call): AsyncIterable<MessageFlag> {
    const { args, core } = call;
    const filter = filterWith(args.filter, {
      ...(args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) }),
      ...(args.author === undefined ? {} : { user_id: args.author }),
      ...(args.open ? { is_reviewed: false } : {}),
    });
    yield* byCreation(
      {
        page: call.page,
        maxPageSize: QUERY_FLAGS_LIMIT[1],
        filter,
        // No filter of the provider names who raised a flag.
        ...(args.by !== undefined && { matches: ({ user }: MessageFlag) => user?.id === args.by }),
      },
      itemName("flags"),
      async (span, once) =>
        (
          await core.call("queryMessageFlags", {
            query: { ...span, ...(args.deleted ? { show_deleted_messages: true } : {}) },
            ...once,
          })
        ).flags,
    );
  },
  show: (flag) =>
    rowOf(flag, {
      message: "message.id",
      channel: "message.cid",
      author: { field: "message.user.id", cell: flag.message.user.id },
      "flagged by": { field: "user.id", cell: flag.created_by_automod ? "a blocklist" : flag.user?.id },
      reason: "reason",
      reviewed: "reviewed_at",
      text: "message.text",
    }),
});
