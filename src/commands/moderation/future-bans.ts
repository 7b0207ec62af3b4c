/** Lists bans that apply to future channels. */
import { byOffset } from "../base/lists/by-offset.ts";
import { QUERY_BANS_LIMIT } from "../../wire/constants.ts";
import { command, rowOf } from "../base/define-command.ts";
import { SERVER } from "../base/server-flag.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List bans from future channels",
  changes: "nothing",
  examples: ["moderation future-bans --by mira", "moderation future-bans --user bo --server"],
  args: {
    user: { kind: "user", help: "Only bans of this user" },
    by: { kind: "user", help: "Only bans from this user's channels" },
    server: SERVER,
  },
  asApp: (args) => args.server === true,
  run({ args, core, page }) {
    const whose = {
      ...(args.user === undefined ? {} : { target_user_id: args.user }),
      ...(args.by === undefined ? {} : { user_id: args.by }),
    };
    return byOffset(
      page,
      QUERY_BANS_LIMIT[1],
      itemName("bans"),
      async (span, _, once) =>
        (await core.call("queryFutureChannelBans", { query: { ...span, ...whose }, ...once })).bans,
    );
  },
  show: (ban) =>
    rowOf(ban, {
      user: "user.id",
      by: "banned_by.id",
      kind: { field: "shadow", cell: ban.shadow ? "shadow" : "ban" },
      until: "expires",
      reason: "reason",
      since: "created_at",
    }),
});
