/** Freezes a channel: nobody can write or react until it is unfrozen. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Freeze a channel, so that nobody can write in it",
  changes: "provider",
  chatAlias: "freeze",
  examples: ["channel freeze messaging:ops", "channel freeze '#ops' --json=frozen"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    const { channel } = await call.core.call("updateChannelPartial", {
      path,
      body: { set: { frozen: true } },
    });
    return channel;
  },
});
