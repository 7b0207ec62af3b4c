/** Shows a hidden channel again. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Unhide a channel",
  changes: "provider",
  chatAlias: "show",
  examples: ["channel show messaging:ops", "channel show '#builds'"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    await call.core.call("showChannel", { path, body: {} });
    return { channel: `${path.type}:${path.id}`, hidden: false };
  },
});
