/** Lists who is watching a channel right now. */
import { byOffset } from "../base/lists/by-offset.ts";
import { CHANNEL_WATCHERS_LIMIT } from "../../wire/constants.ts";
import type { User } from "../../wire/entities/user.ts";
import { command, rowOf } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List who is watching a channel",
  changes: "nothing",
  examples: ["channel watchers messaging:ops", "channel watchers messaging:ops --json=id"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async *run(call): AsyncIterable<User> {
    const { core, page } = call;
    const cid = await cidOf(call, call.args.channel);
    // Checked first: queryChannel would create a missing channel.
    await lookUpChannel(core, cid);
    const path = pathOf(cid);
    yield* byOffset(page, CHANNEL_WATCHERS_LIMIT[1], itemName("watchers"), async (watchers, once) => {
      const part = { limit: 1 };
      const body = { state: true, messages: part, members: part, watchers };
      return (await core.call("queryChannel", { path, body, ...once })).watchers ?? [];
    });
  },
  show: (user) =>
    rowOf(user, {
      user: "id",
      name: "name",
      online: { field: "online", cell: user.online ? "online" : "" },
    }),
});
