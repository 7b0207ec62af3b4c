/** Makes the caller a member of a channel. */
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

export default command({
  summary: "Become a member of a channel",
  examples: ["channel join messaging:ops", "channel join '#builds'"],
  args: { channel: { kind: "channel", place: "positional", help: "The channel" } },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    const me = call.core.userId;
    if (me === undefined) throw new CommandError("usage", "Joining needs a user.", "Add --as <user>.");
    return (await call.core.call("updateChannel", { path, body: { add_members: [me] } })).channel;
  },
});
