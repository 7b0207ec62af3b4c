/** Ends blocks: everything is there again (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Unblock users",
  examples: ["user unblock bo"],
  args: { users: { kind: "list", place: "positional", help: "The users" } },
  async *run({ args, core }) {
    const several = new Several();
    for (const id of userIds(args.users)) {
      const body = { blocked_user_id: id };
      if (await several.try(id, () => core.call("unblockUser", { body }))) yield { user: id, blocked: false };
    }
    several.end();
  },
  show: ({ user }) => `${user} unblocked`,
});
