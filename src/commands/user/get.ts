/** Gets one user. */
import { existingUser } from "../base/user-not-found.ts";
import { averageAnswer } from "../../model/channels.ts";
import { command, fieldsView } from "../base/define-command.ts";

export default command({
  summary: "Get one user",
  changes: "nothing",
  chatAlias: "whois",
  examples: ["user get ana", "user get ana --json=name,role,teams"],
  args: { user: { kind: "user", positional: true, help: "The user" } },
  async run(call) {
    return existingUser(call.core, call.args.user);
  },
  show(user) {
    const answers = averageAnswer(user);
    return fieldsView({
      user: user.id,
      name: user.name,
      role: user.role,
      online: user.online,
      "last active": user.last_active,
      // Only where the app measures it.
      ...(answers && { "answers in": answers }),
      created: user.created_at,
    });
  },
});
