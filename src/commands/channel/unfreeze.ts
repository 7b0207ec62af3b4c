/** Unfreezes a channel. */
import { command } from "../base/define-command.ts";
import { channelIs } from "../base/bulk/left-state.ts";
import { changeChannels, CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Unfreeze a channel",
  changes: "provider",
  chatAlias: "unfreeze",
  examples: ["channel unfreeze messaging:ops", "channel unfreeze '#ops' --json=frozen"],
  args: CHANNEL_OR_FILE,
  run: (call) =>
    changeChannels(call, {
      async send(cid) {
        const body = { set: { frozen: false } };
        return (await call.core.call("updateChannelPartial", { path: pathOf(cid), body })).channel;
      },
      isDone: channelIs(call.core, ({ frozen }) => !frozen),
      result: "unfrozen",
    }),
});
