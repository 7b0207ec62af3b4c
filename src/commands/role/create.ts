/** Creates a role for users or members. */
import { unlessTaken } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Create a role",
  changes: "provider",
  examples: ["role create cook", "role create waiter --json"],
  args: { role: { kind: "text", value: "name", positional: true, help: "Its name" } },
  needs: "secret",
  async run({ args, core }) {
    const request = core.call("createRole", { body: { name: args.role } });
    const findExisting = async (): Promise<boolean> =>
      (await core.call("listRoles")).roles.some(({ name }) => name === args.role);
    const message = `Role ${args.role} already exists.`;
    return (await unlessTaken(request, findExisting, { message, hint: "parley role list shows them." })).role;
  },
  show: (role) => `${role.name} created`,
});
