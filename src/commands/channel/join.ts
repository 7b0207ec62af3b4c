/** Adds the current user to a channel. */
import { CommandError, command } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { isNotFound } from "../../wire/errors.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Become a member of a channel",
  changes: "provider",
  chatAlias: "join",
  examples: ["channel join messaging:ops", "channel join '#builds'"],
  args: { channel: { kind: "channel", positional: true, help: "The channel" } },
  async run({ core, ...call }) {
    const cid = await cidOf({ core, ...call }, call.args.channel);
    const me = core.userId;
    if (me === undefined) throw new CommandError("usage", "Joining needs a user.", "Add --as <user>.");
    const current = await lookUpChannel(core, cid).catch((error: unknown) => {
      // A channel may be joinable although it is not readable; joining creates none.
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const { invited, invite_accepted_at: accepted } = current?.membership ?? {};
    // Already a member: adding members again may be forbidden.
    if (current?.membership && (!invited || accepted)) return current.channel;
    return (await core.call("updateChannel", { path: pathOf(cid), body: { add_members: [me] } })).channel;
  },
});
