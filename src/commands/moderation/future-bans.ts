/** Lists bans that wait for channels to come. */
import { freshPages } from "../base/fresh-pages.ts";
import { MAX_OFFSET, QUERY_BANS_LIMIT } from "../../wire/constants.ts";
import type { FutureChannelBan } from "../../wire/moderation.ts";
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
    let offset = Number(page.next ?? 0);
    const fresh = freshPages();
    let given = 0;
    for (;;) {
      const limit = Math.min(page.size ?? QUERY_BANS_LIMIT[1], QUERY_BANS_LIMIT[1], page.limit - given);
      const { bans } = await core.call("queryFutureChannelBans", {
        query: {
          limit,
          offset,
          ...(args.user === undefined ? {} : { target_user_id: args.user }),
          ...(args.by === undefined ? {} : { user_id: args.by }),
        },
      });
      fresh(bans);
      yield* bans;
      given += bans.length;
      offset += bans.length;
      if (bans.length < limit || offset > MAX_OFFSET) return;
      if (given >= page.limit) return page.more?.(String(offset));
    }
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
