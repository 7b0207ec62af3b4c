/** Unfreezes a channel. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Unfreeze a channel",
  changes: "provider",
  chatAlias: "unfreeze",
  examples: ["channel unfreeze messaging:ops", "channel unfreeze '#ops' --json=frozen"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    const { channel } = await call.core.call("updateChannelPartial", {
      path,
      body: { set: { frozen: false } },
    });
    return channel;
  },
});
