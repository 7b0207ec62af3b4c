/** Brings softly deleted users back: the profile, not what went with it (specification/users.md §5). */
import { command } from "../base/define-command.ts";
import { inBatches } from "./batches.ts";

export default command({
  summary: "Restore deleted users",
  examples: ["user restore bo"],
  args: { users: { kind: "list", place: "positional", help: "The users" } },
  needs: "secret",
  async *run(call) {
    for await (const { ids } of inBatches(call, call.args.users, (user_ids) =>
      call.core.call("restoreUsers", { body: { user_ids } }),
    ))
      for (const id of ids) yield { id, restored: true };
  },
  show: ({ id }) => `${id} restored`,
});
