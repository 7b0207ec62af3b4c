/** Marks channels read: one, or all of them. */
import { CommandFault, command } from "../kit.ts";
import { cidOf, pathOf } from "../place.ts";

export default command({
  summary: "Mark a channel read",
  examples: ["channel read messaging:ops", "channel read --all"],
  args: {
    channel: {
      kind: "channel",
      place: "positional",
      here: true,
      optional: true,
      default: "",
      help: "The channel",
    },
    allChannels: { kind: "flag", place: "flag", optional: true, help: "Every channel" },
  },
  needs: "api",
  async run(call) {
    // the shell's own --all means all of them where no channel is named
    if (call.args.allChannels || (call.args.channel === "" && call.page.limit === Infinity)) {
      await call.core.call("markChannelsRead", { body: {} });
      return { channel: "*", read: true };
    }
    if (call.args.channel === "")
      throw new CommandFault("usage", "which channel?", "Name one, or --all for every one.");
    const cid = await cidOf(call, call.args.channel);
    await call.core.call("markRead", { path: pathOf(cid), body: {} });
    return { channel: cid, read: true };
  },
});
