/** Mutes a channel for the current user. */
import { command } from "../base/define-command.ts";
import { changeChannels, CHANNEL_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Mute a channel",
  changes: "provider",
  examples: ["channel mute messaging:ops --until 8h", "channel mute '#builds'"],
  args: {
    ...CHANNEL_OR_FILE,
    until: { kind: "time", direction: "future", measured: true, help: "When the mute ends" },
  },
  run(call) {
    const { until } = call.args;
    const expiration = until === undefined ? {} : { expiration: Math.max(1, until.ms) };
    return changeChannels(call, {
      async send(cid) {
        const reply = await call.core.call("muteChannel", { body: { channel_cid: cid, ...expiration } });
        return reply.channel_mute ?? { channel: cid, muted: true };
      },
      result: "muted",
    });
  },
});
