/** Ends mutes of users (specification/moderation.md §3). */
import { command } from "../base/define-command.ts";
import { inBatches } from "./batches.ts";

export default command({
  summary: "Unmute users",
  examples: ["user unmute bo"],
  args: { users: { kind: "list", place: "positional", help: "The users" } },
  async *run(call) {
    for await (const { ids } of inBatches(call, call.args.users, (target_ids) =>
      call.core.call("unmuteUser", { body: { target_ids } }),
    ))
      for (const id of ids) yield { user: id, muted: false };
  },
  show: ({ user }) => `${user} unmuted`,
});
