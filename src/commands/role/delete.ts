/** Deletes an unused role without grants. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Delete a role that nobody has",
  changes: "provider",
  examples: ["role delete cook", "role delete cook --yes"],
  aliases: ["rm"],
  args: { role: { kind: "text", positional: true, help: "The role" } },
  needs: "secret",
  confirm: ({ role }) => ({ level: "moderate", question: `Delete role ${role}?` }),
  async run({ args, core }) {
    await core.call("deleteRole", { path: { name: args.role } });
    return { role: args.role, deleted: true };
  },
  show: ({ role }) => `${role} deleted`,
});
