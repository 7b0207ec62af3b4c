/** Sets fields of a channel and leaves the others as they are. */
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { readSet } from "../user/fields.ts";

export default command({
  summary: "Set fields of a channel",
  changes: "provider",
  examples: [
    "channel set messaging:ops name=Ops topic.title='On call'",
    "channel set messaging:ops cooldown=10",
  ],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    fields: { ...PAIRS, help: "Fields and their new values" },
  },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    return (await call.core.call("updateChannelPartial", { path, body: readSet(call.args.fields) })).channel;
  },
});
