/** Adds the current user to a channel. */
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Become a member of a channel",
  changes: "provider",
  chatAlias: "join",
  examples: ["channel join messaging:ops", "channel join '#builds'"],
  args: { channel: { kind: "channel", positional: true, help: "The channel" } },
  async run({ core, ...call }) {
    const path = pathOf(await cidOf({ core, ...call }, call.args.channel));
    const me = core.userId;
    if (me === undefined) throw new CommandError("usage", "Joining needs a user.", "Add --as <user>.");
    const current = await core.call("getChannel", { path, query: {} }).catch((error: { status?: number }) => {
      // A channel may be joinable although it is not readable.
      if (error.status === 403) return undefined;
      throw error;
    });
    const { invited, invite_accepted_at: accepted } = current?.membership ?? {};
    // Already a member: adding members again may be forbidden.
    if (current?.membership && (!invited || accepted)) return current.channel;
    return (await core.call("updateChannel", { path, body: { add_members: [me] } })).channel;
  },
});
