/** Marks channels read: those that are named, or all of them. */
import { readChannel } from "../base/args.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

export default command({
  summary: "Mark channels read",
  examples: ["channel read messaging:ops", "channel read '#ops' '#builds' @ana", "channel read --all"],
  args: {
    channels: {
      kind: "list",
      value: "channel",
      place: "positional",
      optional: true,
      help: "The channels; without one the channel you are in",
    },
    allChannels: { kind: "flag", help: "Every channel" },
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
      throw new CommandError("usage", "which channel?", "Name one, or --all for every one.");
    const cids: string[] = [];
    // all are looked at before one is changed
    for (const one of channels) cids.push(await cidOf(call, readChannel(one, call.channelType)));
    for (const cid of new Set(cids)) {
      await call.core.call("markRead", { path: pathOf(cid), body: {} });
      yield { channel: cid, read: true };
    }
  },
  show: ({ channel }) => (channel === "*" ? "all channels read" : `${channel} read`),
});
