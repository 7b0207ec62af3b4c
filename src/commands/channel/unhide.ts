/** Shows a hidden channel again. */
import { command } from "../base/define-command.ts";
import { changeChannels, CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Unhide a channel",
  changes: "provider",
  chatAlias: "unhide",
  examples: ["channel unhide messaging:ops", "channel unhide '#builds'"],
  args: CHANNEL_OR_FILE,
  run: (call) =>
    changeChannels(call, {
      async send(cid) {
        await call.core.call("showChannel", { path: pathOf(cid), body: {} });
        return { channel: cid, hidden: false };
      },
      result: "unhidden",
    }),
});
