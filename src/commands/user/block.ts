/** Blocks users; nobody else is notified (specification/moderation.md §5). */
import { command } from "../base/define-command.ts";
import { changeEachUser, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Block users; your direct channels with them are hidden and muted",
  changes: "provider",
  chatAlias: "block",
  examples: ["user block bo", "user block bo cy"],
  args: USERS_ARGS,
  run: (call) =>
    changeEachUser(call, {
      batchSize: 1,
      send: ([blocked_user_id]) =>
        call.core.call("blockUser", { body: { blocked_user_id: blocked_user_id! } }),
      result: "blocked",
      resultOf: (user) => ({ user, blocked: true }),
    }),
  show: ({ user }) => `${user} blocked`,
});
