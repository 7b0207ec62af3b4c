/** Marks channels read: those that are named, or all of them. */
import { readChannel } from "../base/args.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Mark channels read",
  examples: ["channel read messaging:ops", "channel read '#ops' '#builds' @ana", "channel read --all"],
  args: {
    channels: {
      kind: "list",
      value: "channel",
      place: "positional",
      optional: true,
      help: "The channels (default: the channel you are in)",
    },
    allChannels: { kind: "flag", help: "Mark every channel read" },
  },
  async *run(call) {
    const named = call.args.channels ?? [];
    // the shell's own --all means all of them where no channel is named
    if (call.args.allChannels || (named.length === 0 && call.page.limit === Infinity)) {
      await call.core.call("markChannelsRead", { body: {} });
      return void (yield { channel: "*", read: true });
    }
    const channels = named.length > 0 ? named : call.here === undefined ? [] : [call.here];
    if (channels.length === 0)
      throw new CommandError("usage", "No channel is named.", "Name one, or --all for every one.");
    const cids = channels.map((one) => readChannel(one, call.channelType));
    const several = new Several();
    for (const one of new Set(cids)) {
      const read = await several.try(one, async () => {
        const cid = await cidOf(call, one);
        await call.core.call("markRead", { path: pathOf(cid), body: {} });
        return { channel: cid, read: true };
      });
      if (read) yield read;
    }
    several.end();
  },
  show: ({ channel }) => (channel === "*" ? "all channels read" : `${channel} read`),
});
