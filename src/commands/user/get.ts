/** Gets one user. */
import { noSuchUser } from "../base/user-not-found.ts";
import { command, fieldsView } from "../base/define-command.ts";

export default command({
  summary: "Get one user",
  changes: "nothing",
  chatAlias: "whois",
  examples: ["user get ana", "user get ana --json=name,role,teams"],
  args: { user: { kind: "user", positional: true, help: "The user" } },
  async run(call) {
    const { users } = await call.core.call("queryUsers", {
      query: { filter_conditions: { id: call.args.user }, limit: 1, presence: false },
    });
    if (!users[0]) throw noSuchUser(call.args.user);
    return users[0];
  },
  show: (user) =>
    fieldsView({
      user: user.id,
      name: user.name,
      role: user.role,
      online: user.online,
      "last active": user.last_active,
      created: user.created_at,
    }),
});
