/** Removes fields of a user, one's own without a name (specification/users.md §4, partial update). */
import { command } from "../base/define-command.ts";
import { readSet } from "./fields.ts";
import { changeUser, isAboutOthers } from "./change-user.ts";

export default command({
  summary: "Remove fields of a user; of yourself without a name",
  changes: "provider",
  examples: ["user unset status", "user unset mira status favourite_tea"],
  args: {
    user: { kind: "user", positional: true, optional: true, help: "The user (default: you)" },
    fields: { kind: "list", value: "name", positional: true, help: "Names of the fields" },
  },
  prefersApp: isAboutOthers,
  run: ({ args, core }) => changeUser(core, args.user, readSet([], args.fields)),
  show: (user) => `${user.id} changed`,
});
