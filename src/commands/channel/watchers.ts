/** Lists who is watching a channel right now. */
import { freshPages } from "../base/fresh-pages.ts";
import { CHANNEL_WATCHERS_LIMIT, MAX_OFFSET } from "../../wire/constants.ts";
import type { User } from "../../wire/user.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

const PAGE = 1000;

export default command({
  summary: "List who is watching a channel",
  examples: ["channel watchers messaging:ops", "channel watchers messaging:ops --json=id"],
  args: { channel: { kind: "channel", place: "positional", here: true, help: "The channel" } },
  async *run(call): AsyncIterable<User> {
    const { core, page } = call;
    const path = pathOf(await cidOf(call, call.args.channel));
    // looked up first, because the query that pages watchers would make a channel that is not there
    await core.call("getChannel", { path, query: { state: false } });
    let offset = page.next === undefined ? 0 : Number(page.next);
    const fresh = freshPages();
    let given = 0;
    for (;;) {
      const limit = Math.min(page.size ?? PAGE, CHANNEL_WATCHERS_LIMIT[1], page.limit - given);
      const state = await core.call("queryChannel", {
        path,
        body: { state: true, messages: { limit: 1 }, members: { limit: 1 }, watchers: { limit, offset } },
      });
      const watchers = state.watchers ?? [];
      fresh(watchers);
      yield* watchers;
      given += watchers.length;
      offset += watchers.length;
      if (watchers.length < limit || offset > MAX_OFFSET) return;
      if (given >= page.limit) return page.more?.(String(offset));
    }
  },
  show: (user) => ({
    kind: "table",
    columns: ["user", "name", "online"],
    rows: [[user.id, user.name, user.online ? "online" : ""]],
  }),
});
