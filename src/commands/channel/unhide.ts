/** Shows a hidden channel again. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Unhide a channel",
  changes: "provider",
  chatAlias: "unhide",
  examples: ["channel unhide messaging:ops", "channel unhide '#builds'"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    await call.core.call("showChannel", { path, body: {} });
    return { channel: `${path.type}:${path.id}`, hidden: false };
  },
});
