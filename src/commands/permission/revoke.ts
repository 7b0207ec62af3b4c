/** Takes permissions from a role in a channel type or in the app. */
import { command } from "../base/define-command.ts";
import { changeGrants } from "./granting.ts";

export default command({
  summary: "Revoke permissions from a role",
  examples: ["permission revoke team channel_member pin-message", "permission revoke app guest search-user"],
  args: {
    scope: { kind: "text", value: "type", place: "positional", help: "A channel type, or app" },
    role: { kind: "text", place: "positional", help: "The role" },
    permissions: { kind: "list", place: "positional", help: "The permissions to revoke" },
  },
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Take ${args.permissions.join(", ")} from ${args.role} in ${args.scope}?`,
  }),
  run: ({ args, core }) =>
    changeGrants(core, args.scope, args.role, (names) =>
      names.filter((name) => !args.permissions.includes(name)),
    ),
  show: ({ role, scope, changed }, { permissions }) =>
    changed ? `${role} may not ${permissions.join(", ")} in ${scope}` : `${role} could not do that anyway`,
});
