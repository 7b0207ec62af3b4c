/** Makes a guest: a user for now, with a token of its own (specification/auth.md §5). */
import { command } from "../base/define-command.ts";
import { readPairs } from "../base/custom-fields.ts";

export default command({
  summary: "Make a guest user and print its token",
  examples: ["user guest visitor --name Visitor --json"],
  args: {
    id: { kind: "user", place: "positional", help: "The id it would like; the provider makes one of it" },
    name: { kind: "text", help: "Its name" },
    custom: { kind: "list", value: "name=value", help: "Custom field name=value (repeat for more)" },
  },
  shellOnly: "prints a token",
  async run({ args, core }) {
    const { user, access_token } = await core.call("createGuest", {
      body: {
        user: {
          ...readPairs(args.custom ?? [], "--custom"),
          id: args.id,
          ...(args.name === undefined ? {} : { name: args.name }),
        },
      },
    });
    return { user, access_token };
  },
  show: ({ user, access_token }) => ({
    kind: "fields",
    fields: [
      ["user", user.id],
      ["name", user.name],
      ["token", access_token],
    ],
  }),
});
