/** Lifts a ban from the whole app, of either kind. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Lift a user's ban from the whole app",
  examples: ["user unban bo"],
  args: {
    user: { kind: "user", place: "positional", help: "The user" },
    by: { kind: "user", acts: true, help: "Who lifts it (default: you)" },
  },
  needs: "secret",
  async run({ args, core }) {
    await core.call("unban", {
      query: {
        target_user_id: args.user,
        ...(args.by === undefined ? {} : { created_by: args.by }),
      },
    });
    return { user: args.user, banned: false };
  },
});
