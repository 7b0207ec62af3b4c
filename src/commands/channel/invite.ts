/** Invites users to a channel; they become members when they accept. */
import { command } from "../base/define-command.ts";
import { USERS_ARGS } from "../base/bulk/names.ts";
import { changeMembersInParts } from "../member/change-members.ts";

export default command({
  summary: "Invite people to a channel",
  changes: "provider",
  examples: ["channel invite messaging:ops ana bo", "channel invite '#builds' bo"],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    ...USERS_ARGS,
  },
  run: (call) =>
    changeMembersInParts(call, call.args.channel, "invited", (invites) => ({ invites }), {
      isDone: (member) => member !== undefined,
    }),
});
