/** Changes fields of a user, one's own without a name (specification/users.md §4, partial update). */
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { readSet } from "./fields.ts";
import { changeUser, isAboutOthers } from "./change-user.ts";

export default command({
  summary: "Change fields of a user; of yourself without a name",
  changes: "provider",
  examples: [
    "user set status=out favourite_tea=oolong",
    "user set address.floor=4",
    "user set ana role=moderator",
    "user set ana teams='[\"red\"]' --unset status",
  ],
  aliases: ["update"],
  args: {
    user: { kind: "user", positional: true, optional: true, help: "The user (default: you)" },
    fields: { ...PAIRS, optional: true, help: "Fields and their new values" },
    unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  },
  prefersApp: isAboutOthers,
  confirm: ({ user, fields, unset }) =>
    [...fields, ...unset].some((field) => /^(role|teams_role)([.=]|$)/.test(field))
      ? { level: "mild", question: `Change the rights of ${user ?? "yourself"}?` }
      : undefined,
  run: ({ args, core }) => changeUser(core, args.user, readSet(args.fields, args.unset)),
  show: (user) => `${user.id} changed`,
});
