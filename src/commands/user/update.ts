/** Sets and removes fields of any user, including role and teams; needs the app's secret (specification/users.md §4). */
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { readSet } from "./fields.ts";

export default command({
  summary: "Update any user, including role and teams",
  changes: "provider",
  examples: ["user update ana role=moderator", "user update ana teams='[\"red\"]' --unset status"],
  args: {
    user: { kind: "user", positional: true, help: "The user" },
    fields: { ...PAIRS, optional: true, help: "Fields and their new values" },
    unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  },
  needs: "secret",
  confirm: ({ user, fields, unset }) =>
    [...fields, ...unset].some((field) => /^(role|teams_role)([.=]|$)/.test(field))
      ? { level: "mild", question: `Change the rights of ${user}?` }
      : undefined,
  async run({ args, core }) {
    const body = { users: [{ id: args.user, ...readSet(args.fields, args.unset) }] };
    return (await core.call("updateUsersPartial", { body })).users[args.user]!;
  },
  show: (user) => `${user.id} changed`,
});
