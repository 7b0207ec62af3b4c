/** Marks the named channels or all channels read. */
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command } from "../base/define-command.ts";
import { channelsOf, changeEach } from "../base/bulk/names.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Mark channels read",
  changes: "provider",
  chatAlias: "read",
  examples: ["channel read messaging:ops", "channel read '#ops' '#builds' @ana", "channel read --all"],
  args: {
    channels: {
      kind: "list",
      value: "channel",
      positional: true,
      optional: true,
      help: "The channels (default: the channel you are in)",
    },
    ...BULK_ARGS,
    allChannels: { kind: "flag", help: "Mark every channel read" },
  },
  async *run(call) {
    const { channels, file, allChannels } = call.args;
    const isNamed = channels.length > 0 || file !== undefined;
    // Without named channels, --all of the shell means all channels.
    if (allChannels || (!isNamed && call.page.limit === Infinity)) {
      await call.core.call("markChannelsRead", { body: {} });
      return void (yield { channel: "*", read: true });
    }
    if (!isNamed && call.currentChannel === undefined)
      throw new CommandError("usage", "No channel is named.", "Name one, or --all for every one.");
    yield* changeEach(call, {
      kind: channelsOf(call.channelType),
      names: isNamed || call.currentChannel === undefined ? channels : [call.currentChannel],
      async send(one) {
        const cid = await cidOf(call, one);
        await call.core.call("markRead", { path: pathOf(cid), body: {} });
        return { channel: cid, read: true };
      },
      result: "read",
    });
  },
  show: ({ channel }) => (channel === "*" ? "all channels read" : `${channel} read`),
});
