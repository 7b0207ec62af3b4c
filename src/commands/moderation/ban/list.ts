/** Lists bans, newest first. */
import { QUERY_BANS_LIMIT } from "../../../wire/constants.ts";
import type { Ban } from "../../../wire/entities/moderation.ts";
import { byCreation } from "../../base/lists/by-offset.ts";
import { filterWith } from "../../base/lists/filter.ts";
import { CommandError, command, rowOf } from "../../base/define-command.ts";
import { cidOf } from "../../base/resolve-channel.ts";
import { SERVER } from "../../base/server-flag.ts";
import { itemName } from "../../../wire/reading.ts";

export default command({
  summary: "List bans, newest first",
  changes: "nothing",
  examples: [
    "moderation ban list",
    "moderation ban list -c messaging:ops --json=user.id,expires",
    "moderation ban list --user bo",
  ],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only bans in this channel" },
    app: { kind: "flag", help: "Only app-wide bans" },
    user: { kind: "user", help: "Only bans of this user" },
    by: { kind: "user", help: "Only bans made by this user" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
    server: SERVER,
  },
  asApp: (args) => args.server === true,
  async *run(call): AsyncIterable<Ban> {
    const { args, core } = call;
    if (args.app && args.channel !== undefined)
      throw new CommandError("usage", "--app and --channel cannot be combined.");
    const filter = filterWith(args.filter, {
      ...(args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) }),
      ...(args.app ? { channel_cid: { $exists: false } } : {}),
      ...(args.user === undefined ? {} : { user_id: args.user }),
      ...(args.by === undefined ? {} : { banned_by_id: args.by }),
    });
    yield* byCreation(
      { page: call.page, maxPageSize: QUERY_BANS_LIMIT[1], filter },
      itemName("bans"),
      async (span, once) => (await core.call("queryBannedUsers", { query: span, ...once })).bans,
    );
  },
  show: (ban) =>
    rowOf(ban, {
      user: "user.id",
      where: { field: "channel.cid", cell: ban.channel?.cid ?? "everywhere" },
      kind: { field: "shadow", cell: ban.shadow ? "shadow" : "ban" },
      until: "expires",
      by: "banned_by.id",
      reason: "reason",
      since: "created_at",
    }),
});
