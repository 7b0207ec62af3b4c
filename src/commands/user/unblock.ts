/** Ends blocks: everything is there again (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";

export default command({
  summary: "Unblock users",
  examples: ["user unblock bo"],
  args: { users: { kind: "list", place: "positional", help: "The users" } },
  async *run({ args, core }) {
    for (const id of userIds(args.users)) {
      await core.call("unblockUser", { body: { blocked_user_id: id } });
      yield { user: id, blocked: false };
    }
  },
  show: ({ user }) => `${user} unblocked`,
});
