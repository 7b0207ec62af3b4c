/** Grants permissions to a role in a channel type or in the app. */
import { command } from "../base/define-command.ts";
import { changeGrants, GRANT_ARGS, describePermissions } from "./change-grants.ts";

export default command({
  summary: "Grant permissions to a role",
  changes: "provider",
  examples: [
    "permission grant team channel_member use-frozen-channel",
    "permission grant app guest search-user",
    "parley permission list --own --ndjson | parley permission grant team channel_moderator --file - --yes",
  ],
  args: GRANT_ARGS,
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Grant ${args.role} ${describePermissions(args)} in ${args.scope}?`,
  }),
  run: (call) => changeGrants(call, "granted"),
  show: ({ role, scope, changed }, args) =>
    changed ? `${role} is granted ${describePermissions(args)} in ${scope}` : `${role} could do that already`,
});
