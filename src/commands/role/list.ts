/** Lists roles with the scopes that grant them something. */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List roles",
  changes: "nothing",
  examples: ["role list", "role list --own"],
  aliases: ["ls"],
  args: { own: { kind: "flag", help: "Only those created by the app" } },
  needs: "secret",
  async *run({ args, core }) {
    for (const role of (await core.call("listRoles")).roles) if (!args.own || role.custom) yield role;
  },
  show: (role) =>
    rowOf(role, {
      role: "name",
      custom: "custom",
      scopes: { cell: role.scopes.join(" ") },
    }),
});
