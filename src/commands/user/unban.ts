/** Lifts app-wide bans and shadow bans. */
import { command } from "../base/define-command.ts";
import { banIs } from "../base/bulk/left-state.ts";
import { changeEachUser, USERS_ARGS } from "../base/bulk/names.ts";

export default command({
  summary: "Lift bans from the whole app",
  changes: "provider",
  examples: ["user unban bo", "user unban bo --by mira"],
  args: {
    ...USERS_ARGS,
    by: { kind: "user", actingUser: true, help: "Who lifts the ban (default: you)" },
  },
  needs: "secret",
  run(call) {
    const { by } = call.args;
    const query = by === undefined ? {} : { created_by: by };
    return changeEachUser(call, {
      batchSize: 1,
      send: ([user]) => call.core.call("unban", { query: { target_user_id: user!, ...query } }),
      isDone: banIs(call.core, undefined, false),
      result: "unbanned",
      resultOf: (user) => ({ user, banned: false }),
    });
  },
  show: ({ user }) => `${user} unbanned`,
});
