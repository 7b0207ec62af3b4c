/** Lists bans that wait for channels to come. */
import { MAX_OFFSET, QUERY_BANS_LIMIT } from "../../wire/constants.ts";
import type { FutureChannelBan } from "../../wire/moderation.ts";
import { byOffset } from "../base/cursor.ts";
import { command } from "../base/define-command.ts";
import { SERVER } from "./as-app.ts";

export default command({
  summary: "List bans from channels to come",
  examples: ["moderation future-bans --by mira"],
  args: {
    user: { kind: "user", help: "Only bans of this user" },
    by: { kind: "user", help: "Only bans from channels of this user" },
    server: SERVER,
  },
  asApp: (args) => args.server === true,
  async *run(call): AsyncIterable<FutureChannelBan> {
    const { args, core, page } = call;
    const reach = { biggest: QUERY_BANS_LIMIT[1], farthest: MAX_OFFSET };
    yield* byOffset(page, reach, async (at) => {
      const query = {
        ...at,
        ...(args.user === undefined ? {} : { target_user_id: args.user }),
        ...(args.by === undefined ? {} : { user_id: args.by }),
      };
      return (await core.call("queryFutureChannelBans", { query })).bans;
    });
  },
  show: (ban) => ({
    kind: "table",
    columns: ["user", "by", "kind", "until", "reason", "since"],
    rows: [
      [
        ban.user.id,
        ban.banned_by?.id,
        ban.shadow ? "shadow" : "ban",
        ban.expires,
        ban.reason,
        ban.created_at,
      ],
    ],
  }),
});
