/** Removes fields of oneself (users.md §4, partial update). */
import { command } from "../kit.ts";
import { readSet } from "./fields.ts";

export default command({
  summary: "Remove fields of your own profile",
  examples: ["user unset ana status favourite_tea"],
  args: {
    user: { kind: "user", place: "positional", help: "The user" },
    fields: { kind: "list", value: "name", place: "positional", help: "Names of the fields" },
  },
  needs: "api",
  async run({ args, core }) {
    const body = { users: [{ id: args.user, ...readSet([], args.fields) }] };
    return (await core.call("updateUsersPartial", { body })).users[args.user]!;
  },
  show: (user) => ({ kind: "line", text: `${user.id} changed` }),
});
