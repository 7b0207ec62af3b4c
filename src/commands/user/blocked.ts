/** Lists users the current user has blocked (specification/moderation.md §5). */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List the users you blocked",
  changes: "nothing",
  chatAlias: "blocked",
  examples: ["user blocked --json=blocked_user_id", "user blocked"],
  async *run({ core }) {
    yield* (await core.call("getBlockedUsers", { query: {} })).blocks;
  },
  show: (block) =>
    rowOf(block, {
      user: "blocked_user_id",
      name: "blocked_user.name",
      since: "created_at",
    }),
});
