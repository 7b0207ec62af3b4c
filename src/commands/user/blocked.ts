/** Lists those one has blocked (specification/moderation.md §5). */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List the users you blocked",
  examples: ["user blocked --json=blocked_user_id", "user blocked"],
  args: {},
  async *run({ core }) {
    yield* (await core.call("getBlockedUsers", { query: {} })).blocks;
  },
  show: (block) =>
    rowView(
      { user: block.blocked_user_id, name: block.blocked_user.name, since: block.created_at },
      { user: "blocked_user_id", name: "blocked_user.name", since: "created_at" },
    ),
});
