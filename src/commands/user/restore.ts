/** Restores softly deleted users: only the profile, not data deleted with it (specification/users.md §5). */
import { command } from "../base/define-command.ts";
import { changeEachUser, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Restore deleted users",
  changes: "provider",
  examples: ["user restore bo", "user restore bo cy"],
  args: USERS_ARGS,
  needs: "secret",
  run: (call) =>
    changeEachUser(call, {
      send: (user_ids) => call.core.call("restoreUsers", { body: { user_ids } }),
      result: "restored",
      resultOf: (id) => ({ id, restored: true }),
    }),
  show: ({ id }) => `${id} restored`,
});
