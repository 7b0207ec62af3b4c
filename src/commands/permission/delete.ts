/** Deletes an unused permission of the app. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Delete a permission of the app",
  changes: "provider",
  examples: ["permission delete tidy-own", "permission delete tidy-own --yes"],
  aliases: ["rm"],
  args: { permission: { kind: "text", value: "id", positional: true, help: "Its id" } },
  needs: "secret",
  confirm: ({ permission }) => ({ level: "moderate", question: `Delete permission ${permission}?` }),
  async run({ args, core }) {
    await core.call("deletePermission", { path: { id: args.permission } });
    return { permission: args.permission, deleted: true };
  },
  show: ({ permission }) => `${permission} deleted`,
});
