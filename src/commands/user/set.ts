/** Sets fields of oneself; the rest stays (users.md §4, partial update). */
import { command } from "../kit.ts";
import { readSet } from "./fields.ts";

export default command({
  summary: "Set fields of your own profile",
  examples: ["user set ana status=out favourite_tea=oolong", "user set ana address.floor=4"],
  args: {
    user: { kind: "user", place: "positional", help: "The user" },
    fields: { kind: "list", value: "name=value", place: "positional", help: "Fields and their new values" },
  },
  needs: "api",
  async run({ args, core }) {
    const body = { users: [{ id: args.user, ...readSet(args.fields) }] };
    return (await core.call("updateUsersPartial", { body })).users[args.user]!;
  },
  show: (user) => ({ kind: "line", text: `${user.id} changed` }),
});
