/** Removes fields of a channel. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { readSet } from "../user/fields.ts";

export default command({
  summary: "Remove fields from a channel",
  changes: "provider",
  examples: ["channel unset messaging:ops topic", "channel unset messaging:ops topic cooldown"],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    fields: { kind: "list", positional: true, value: "name", help: "Names of the fields" },
  },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    return (await call.core.call("updateChannelPartial", { path, body: readSet([], call.args.fields) }))
      .channel;
  },
});
