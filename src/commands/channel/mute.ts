/** Mutes a channel for the current user. */
import { command } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Mute a channel",
  changes: "provider",
  examples: ["channel mute messaging:ops --until 8h", "channel mute '#builds'"],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    until: { kind: "time", direction: "future", measured: true, help: "When the mute ends" },
  },
  async run(call) {
    const cid = await cidOf(call, call.args.channel);
    const { until } = call.args;
    const reply = await call.core.call("muteChannel", {
      body: {
        channel_cid: cid,
        ...(until === undefined ? {} : { expiration: Math.max(1, until.ms) }),
      },
    });
    return reply.channel_mute ?? { channel: cid, muted: true };
  },
});
