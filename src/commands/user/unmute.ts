/** Ends mutes of users (specification/moderation.md §3). */
import { command } from "../base/define-command.ts";
import { eachUser, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Unmute users",
  examples: ["user unmute bo", "user unmute bo cy"],
  args: USERS_ARGS,
  async *run(call) {
    for await (const { ids } of eachUser(call, {
      ask: (target_ids) => call.core.call("unmuteUser", { body: { target_ids } }),
      result: "unmuted",
    }))
      for (const id of ids) yield { user: id, muted: false };
  },
  show: ({ user }) => `${user} unmuted`,
});
