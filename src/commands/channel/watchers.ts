/** Lists who is watching a channel right now. */
import { CHANNEL_WATCHERS_LIMIT, MAX_OFFSET } from "../../wire/constants.ts";
import type { User } from "../../wire/user.ts";
import { byOffset } from "../base/cursor.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

export default command({
  summary: "List who is watching a channel",
  examples: ["channel watchers messaging:ops", "channel watchers messaging:ops --json=id"],
  args: { channel: { kind: "channel", place: "positional", here: true, help: "The channel" } },
  async *run(call): AsyncIterable<User> {
    const { core, page } = call;
    const path = pathOf(await cidOf(call, call.args.channel));
    // looked up first, because the query that pages watchers would make a channel that is not there
    await core.call("getChannel", { path, query: { state: false } });
    const reach = { biggest: CHANNEL_WATCHERS_LIMIT[1], farthest: MAX_OFFSET };
    yield* byOffset(page, reach, async (watchers) => {
      const state = await core.call("queryChannel", {
        path,
        body: { state: true, messages: { limit: 1 }, members: { limit: 1 }, watchers },
      });
      return state.watchers ?? [];
    });
  },
  show: (user) => ({
    kind: "table",
    columns: ["user", "name", "online"],
    rows: [[user.id, user.name, user.online ? "online" : ""]],
  }),
});
