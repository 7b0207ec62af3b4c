/** Revokes permissions of a role in a channel type or in the app. */
import { command } from "../base/define-command.ts";
import { changeGrants, GRANT_ARGS, describePermissions } from "./change-grants.ts";

export default command({
  summary: "Revoke permissions from a role",
  changes: "provider",
  examples: ["permission revoke team channel_member pin-message", "permission revoke app guest search-user"],
  args: GRANT_ARGS,
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Revoke ${describePermissions(args)} from ${args.role} in ${args.scope}?`,
  }),
  run: (call) => changeGrants(call, "revoked"),
  show: ({ role, scope, changed }, args) =>
    changed
      ? `${role} is no longer granted ${describePermissions(args)} in ${scope}`
      : `${role} could not do that anyway`,
});
