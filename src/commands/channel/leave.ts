/** Removes the current user from a channel. */
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Leave a channel",
  changes: "provider",
  chatAlias: "leave",
  examples: ["channel leave messaging:ops", "channel leave '#builds'"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  confirm: (args) => ({ level: "mild", question: `Leave ${args.channel}?` }),
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    const me = call.core.userId;
    if (me === undefined) throw new CommandError("usage", "Leaving needs a user.", "Add --as <user>.");
    return (await call.core.call("updateChannel", { path, body: { remove_members: [me] } })).channel;
  },
});
