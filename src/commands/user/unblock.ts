/** Unblocks users (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";
import { changeEachUser, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Unblock users",
  changes: "provider",
  chatAlias: "unblock",
  examples: ["user unblock bo", "user unblock bo cy"],
  args: USERS_ARGS,
  run: (call) =>
    changeEachUser(call, {
      batchSize: 1,
      send: ([blocked_user_id]) =>
        call.core.call("unblockUser", { body: { blocked_user_id: blocked_user_id! } }),
      result: "unblocked",
      resultOf: (user) => ({ user, blocked: false }),
    }),
  show: ({ user }) => `${user} unblocked`,
});
