/** Creates a permission of the app for one action. */
import { unlessTaken } from "../base/conflicts.ts";
import type { Permission } from "../../wire/entities/role.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Create a permission for an action",
  changes: "provider",
  examples: [
    "permission create tidy-own --action DeleteMessage --owner",
    "permission create tidy-all --action DeleteMessage --any-team",
  ],
  args: {
    permission: { kind: "text", value: "id", positional: true, help: "Its id" },
    action: {
      kind: "text",
      value: "action",
      required: true,
      help: "The action it allows, for example DeleteMessage",
    },
    name: { kind: "text", value: "name", help: "Its name (default: the id)" },
    description: { kind: "text", value: "text", help: "What it is for" },
    owner: { kind: "flag", help: "Only for one's own items" },
    anyTeam: { kind: "flag", help: "In any team" },
  },
  needs: "secret",
  async run({ args, core }) {
    const request = core.call("createPermission", {
      body: {
        id: args.permission,
        name: args.name ?? args.permission,
        action: args.action,
        owner: args.owner,
        same_team: !args.anyTeam,
        ...(args.description === undefined ? {} : { description: args.description }),
      },
    });
    const get = (): Promise<{ permission: Permission }> =>
      core.call("getPermission", { path: { id: args.permission } });
    const message = `Permission ${args.permission} already exists.`;
    await unlessTaken(request, get, { message, hint: "parley permission set changes it." });
    return (await get()).permission;
  },
  show: (one) => `${one.id} created`,
});
