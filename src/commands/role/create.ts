/** Makes a role for users or members. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Create a role",
  examples: ["role create cook", "role create waiter --json"],
  args: { role: { kind: "text", value: "name", place: "positional", help: "Its name" } },
  needs: "secret",
  run: async ({ args, core }) => (await core.call("createRole", { body: { name: args.role } })).role,
  show: (role) => `${role.name} made`,
});
