/** Creates a guest: a temporary user with a token (specification/auth.md §5). */
import { command, fieldsView } from "../base/define-command.ts";
import { CUSTOM, readPairs } from "../base/custom-fields.ts";

export default command({
  summary: "Create a guest user and print its token",
  changes: "provider",
  examples: ["user guest visitor --name Visitor --json", "user guest visitor --jq .access_token"],
  args: {
    id: { kind: "user", positional: true, help: "Desired id; the provider derives the final one from it" },
    name: { kind: "text", help: "Its name" },
    custom: CUSTOM,
  },
  shellOnly: "prints a token",
  async run({ args, core }) {
    const { user, access_token } = await core.call("createGuest", {
      body: {
        user: {
          ...readPairs(args.custom, "--custom"),
          id: args.id,
          ...(args.name === undefined ? {} : { name: args.name }),
        },
      },
    });
    return { user, access_token };
  },
  show: ({ user, access_token }) =>
    fieldsView({
      user: user.id,
      name: user.name,
      token: access_token,
    }),
});
