/** Gives permissions to a role in a channel type or in the app. */
import { command } from "../base/define-command.ts";
import { changeGrants } from "./granting.ts";

export default command({
  summary: "Grant permissions to a role",
  examples: [
    "permission grant team channel_member use-frozen-channel",
    "permission grant app guest search-user",
  ],
  args: {
    scope: { kind: "text", value: "type", place: "positional", help: "A channel type, or app" },
    role: { kind: "text", place: "positional", help: "The role" },
    permissions: { kind: "list", place: "positional", help: "The permissions to grant" },
  },
  needs: "secret",
  confirm: ({ scope, role, permissions }) => ({
    level: "mild",
    question: `Give ${role} in ${scope} the right to ${permissions.join(", ")}?`,
  }),
  run: ({ args, core }) =>
    changeGrants(core, args.scope, args.role, (names) => [...new Set([...names, ...args.permissions])]),
  show: ({ role, scope, changed }, { permissions }) =>
    changed ? `${role} may ${permissions.join(", ")} in ${scope}` : `${role} could do that already`,
});
