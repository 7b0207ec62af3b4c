/** Removes members from a channel, a hundred per request. */
import { command } from "../base/define-command.ts";
import { describeNames } from "../base/bulk/names.ts";
import { changeMembersInParts, MEMBERS_ARGS } from "./change-members.ts";

export default command({
  summary: "Remove members from a channel",
  changes: "provider",
  chatAlias: "remove",
  examples: ["member remove bo -c messaging:ops", "member remove --file gone.txt -c messaging:ops --yes"],
  aliases: ["rm"],
  args: {
    ...MEMBERS_ARGS,
    say: { kind: "text", help: "Post this as a system message about it" },
  },
  confirm: (args) => ({
    level: "mild",
    question: `Remove ${describeNames(args.users, args, "members")} from ${args.channel}?`,
  }),
  run: (call) =>
    changeMembersInParts(call, call.args.channel, "removed", (part) => ({ remove_members: part }), {
      say: call.args.say,
      isDone: (member) => member === undefined,
    }),
});
