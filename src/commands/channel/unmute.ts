/** Unmutes a channel. */
import { command } from "../base/define-command.ts";
import { changeChannels, CHANNEL_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Unmute a channel",
  changes: "provider",
  examples: ["channel unmute messaging:ops", "channel unmute '#builds'"],
  args: CHANNEL_OR_FILE,
  run: (call) =>
    changeChannels(call, {
      async send(cid) {
        await call.core.call("unmuteChannel", { body: { channel_cid: cid } });
        return { channel: cid, muted: false };
      },
      result: "unmuted",
    }),
});
