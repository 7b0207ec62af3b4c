/** Freezes a channel: nobody can write or react until it is unfrozen. */
import { command } from "../base/define-command.ts";
import { channelIs } from "../base/bulk/left-state.ts";
import { changeChannels, CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Freeze a channel, so that nobody can write in it",
  changes: "provider",
  chatAlias: "freeze",
  examples: ["channel freeze messaging:ops", "channel freeze '#ops' --json=frozen"],
  args: CHANNEL_OR_FILE,
  run: (call) =>
    changeChannels(call, {
      async send(cid) {
        const body = { set: { frozen: true } };
        return (await call.core.call("updateChannelPartial", { path: pathOf(cid), body })).channel;
      },
      isDone: channelIs(call.core, ({ frozen }) => frozen),
      result: "frozen",
    }),
});
