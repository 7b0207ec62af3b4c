/** Turns moderators of a channel into regular members. */
import { command } from "../base/define-command.ts";
import { describeNames } from "../base/bulk/names.ts";
import { changeMembersInParts, MEMBERS_ARGS } from "./change-members.ts";

export default command({
  summary: "Make moderators of a channel members again",
  changes: "provider",
  examples: ["member demote ana -c messaging:ops", "member demote ana bo -c '#ops'"],
  args: MEMBERS_ARGS,
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Take the rights of moderators of ${args.channel} from ${describeNames(args.users, args)}?`,
  }),
  run: (call) =>
    changeMembersInParts(call, call.args.channel, "demoted", (part) => ({ demote_moderators: part }), {
      isDone: (member) => member !== undefined && member.channel_role !== "channel_moderator",
    }),
});
