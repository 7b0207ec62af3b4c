/** Blocks users: private to who blocks (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Block users: channels of the two of you are hidden and silent",
  examples: ["user block bo"],
  args: { users: { kind: "list", place: "positional", help: "The users" } },
  async *run({ args, core }) {
    const several = new Several();
    for (const id of userIds(args.users)) {
      const body = { blocked_user_id: id };
      if (await several.try(id, () => core.call("blockUser", { body }))) yield { user: id, blocked: true };
    }
    several.end();
  },
  show: ({ user }) => `${user} blocked`,
});
