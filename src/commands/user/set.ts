/** Sets fields of the current user (specification/users.md §4, partial update). */
import { PAIRS } from "../base/custom-fields.ts";
import { CommandError, command } from "../base/define-command.ts";
import { readSet } from "./fields.ts";

export default command({
  summary: "Set fields of your own user profile",
  changes: "provider",
  examples: ["user set status=out favourite_tea=oolong", "user set address.floor=4"],
  args: {
    user: { kind: "user", positional: true, optional: true, help: "Yourself (may be omitted)" },
    fields: { ...PAIRS, help: "Fields and their new values" },
  },
  async run({ args, core }) {
    const id = args.user ?? core.userId;
    if (id === undefined) throw new CommandError("usage", "No user is named.", "Name the user.");
    const body = { users: [{ id, ...readSet(args.fields) }] };
    return (await core.call("updateUsersPartial", { body })).users[id]!;
  },
  show: (user) => `${user.id} changed`,
});
