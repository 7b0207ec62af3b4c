/** Gives members a role in a channel. */
import { command } from "../base/define-command.ts";
import { describeNames } from "../base/bulk/names.ts";
import { changeMembersInParts, MEMBERS_ARGS } from "./change-members.ts";

export default command({
  summary: "Give members a role in a channel",
  changes: "provider",
  examples: [
    "member role channel_moderator ana bo -c messaging:ops",
    "member role channel_member bo -c messaging:ops",
  ],
  args: {
    role: { kind: "text", value: "role", positional: true, help: "The role" },
    ...MEMBERS_ARGS,
  },
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Give ${describeNames(args.users, args)} the role ${args.role} in ${args.channel}?`,
  }),
  run: (call) =>
    changeMembersInParts(
      call,
      call.args.channel,
      `has role ${call.args.role}`,
      (part) => ({ assign_roles: part.map((user_id) => ({ user_id, channel_role: call.args.role })) }),
      { isDone: (member) => member?.channel_role === call.args.role },
    ),
});
