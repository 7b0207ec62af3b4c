/** Exports a user's profile, messages and reactions (specification/users.md §5). */
import { command, fieldsView } from "../base/define-command.ts";
import { refuseLimit } from "../base/lists/cursor.ts";

export default command({
  summary: "Export a user with all messages and reactions",
  changes: "nothing",
  examples: ["user export bo --json > bo.json", "user export bo --jq '.messages[].text'"],
  args: { user: { kind: "user", positional: true, help: "The user" } },
  needs: "secret",
  async run({ args, core, page }) {
    refuseLimit(page, "A user's export");
    const { user, messages, reactions } = await core.call("exportUser", { path: { id: args.user } });
    return { user, messages, reactions };
  },
  show: ({ user, messages, reactions }) =>
    fieldsView({
      user: user.id,
      name: user.name,
      messages: messages.length,
      reactions: reactions.length,
    }),
});
