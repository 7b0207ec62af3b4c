/** Unmutes a channel. */
import { command } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Unmute a channel",
  changes: "provider",
  examples: ["channel unmute messaging:ops", "channel unmute '#builds'"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async run(call) {
    const cid = await cidOf(call, call.args.channel);
    await call.core.call("unmuteChannel", { body: { channel_cid: cid } });
    return { channel: cid, muted: false };
  },
});
