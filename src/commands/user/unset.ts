/** Removes fields of the current user (specification/users.md §4, partial update). */
import { CommandError, command } from "../base/define-command.ts";
import { readSet } from "./fields.ts";

export default command({
  summary: "Remove fields from your own profile",
  changes: "provider",
  examples: ["user unset status", "user unset mira status favourite_tea"],
  args: {
    user: { kind: "user", positional: true, optional: true, help: "Yourself (may be omitted)" },
    fields: { kind: "list", value: "name", positional: true, help: "Names of the fields" },
  },
  async run({ args, core }) {
    const id = args.user ?? core.userId;
    if (id === undefined) throw new CommandError("usage", "No user is named.", "Name the user.");
    const body = { users: [{ id, ...readSet([], args.fields) }] };
    return (await core.call("updateUsersPartial", { body })).users[id]!;
  },
  show: (user) => `${user.id} changed`,
});
