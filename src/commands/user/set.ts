/** Changes fields of a user, one's own without a name (specification/users.md §4, partial update). */
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { askedForAll, isBulkSet, SET_FILE_ARGS, setFields } from "../base/bulk/set-from-file.ts";
import { userIds } from "../base/bulk/names.ts";
import { readSet } from "./fields.ts";
import { changeUser, isAboutOthers } from "./change-user.ts";
import { PEOPLE } from "./people-file.ts";
import { settableUsers } from "./settable-users.ts";

export default command({
  summary: "Change fields of a user; of yourself without a name",
  changes: "provider",
  examples: [
    "user set status=out favourite_tea=oolong",
    "user set address.floor=4",
    "user set ana role=moderator",
    "user set ana teams='[\"red\"]' --unset status",
    "user set --file people.csv",
    "parley user list --ndjson | parley user set --file - --dry-run",
  ],
  aliases: ["update"],
  args: {
    user: { kind: "user", positional: true, optional: true, help: "The user (default: you)" },
    fields: { ...PAIRS, optional: true, help: "Fields and their new values" },
    unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
    ...SET_FILE_ARGS,
  },
  prefersApp: (args) => isAboutOthers(args) || isBulkSet(args),
  asksWhileRunning: true,
  // Those of a file whose rights change are asked about when they are known.
  confirm: (args) =>
    !isBulkSet(args) &&
    [...args.fields, ...args.unset].some((field) => /^(role|teams_role)([.=]|$)/.test(field))
      ? { level: "mild", question: `Change the rights of ${args.user ?? "yourself"}?` }
      : undefined,
  run(call) {
    const { args, core } = call;
    const { user, fields, unset } = args;
    if (!isBulkSet(args)) return changeUser(core, user, readSet(fields, unset, PEOPLE.texts));
    return setFields(
      call,
      userIds(user === undefined ? [] : [user]),
      askedForAll(fields, unset, PEOPLE.texts),
      settableUsers(core),
    );
  },
  show: (user) => `${user.id} changed`,
});
