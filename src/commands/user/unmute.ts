/** Unmutes users (specification/moderation.md §3). */
import { command } from "../base/define-command.ts";
import { changeEachUser, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Unmute users",
  changes: "provider",
  examples: ["user unmute bo", "user unmute bo cy"],
  args: USERS_ARGS,
  run: (call) =>
    changeEachUser(call, {
      send: (target_ids) => call.core.call("unmuteUser", { body: { target_ids } }),
      result: "unmuted",
      resultOf: (user) => ({ user, muted: false }),
    }),
  show: ({ user }) => `${user} unmuted`,
});
