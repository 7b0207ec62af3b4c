/** Lists those one has blocked (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";

export default command({
  summary: "List the users you blocked",
  examples: ["user blocked --json=blocked_user_id"],
  args: {},
  async *run({ core }) {
    yield* (await core.call("getBlockedUsers", { query: {} })).blocks;
  },
  show: (block) => ({
    kind: "table",
    columns: ["user", "name", "since"],
    rows: [[block.blocked_user_id, block.blocked_user.name, block.created_at]],
  }),
});
