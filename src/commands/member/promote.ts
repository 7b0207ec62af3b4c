/** Makes members moderators of a channel. */
import { command } from "../base/define-command.ts";
import { describeNames } from "../base/bulk/names.ts";
import { changeMembersInParts, MEMBERS_ARGS } from "./change-members.ts";

export default command({
  summary: "Make members moderators of a channel",
  changes: "provider",
  examples: ["member promote ana -c messaging:ops", "member promote ana bo -c '#ops'"],
  args: MEMBERS_ARGS,
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Give ${describeNames(args.users, args)} the rights of moderators of ${args.channel}?`,
  }),
  run: (call) =>
    changeMembersInParts(call, call.args.channel, "promoted", (part) => ({ add_moderators: part }), {
      isDone: (member) => member?.channel_role === "channel_moderator",
    }),
});
