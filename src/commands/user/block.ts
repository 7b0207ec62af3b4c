/** Blocks users: private to who blocks (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";

export default command({
  summary: "Block users: channels of the two of you are hidden and silent",
  examples: ["user block bo"],
  args: { users: { kind: "list", place: "positional", help: "The users" } },
  async *run({ args, core }) {
    for (const id of userIds(args.users)) {
      await core.call("blockUser", { body: { blocked_user_id: id } });
      yield { user: id, blocked: true };
    }
  },
  show: ({ user }) => `${user} blocked`,
});
