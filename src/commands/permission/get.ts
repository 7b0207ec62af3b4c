/** Shows one permission. */
import { briefFields } from "../app/setting-changes.ts";
import { command, fieldsView } from "../base/define-command.ts";

export default command({
  summary: "Show a permission",
  changes: "nothing",
  examples: ["permission get update-message-owner", "permission get update-message-owner --jq .action"],
  args: { permission: { kind: "text", value: "id", positional: true, help: "Its id" } },
  needs: "secret",
  run: async ({ args, core }) =>
    (await core.call("getPermission", { path: { id: args.permission } })).permission,
  show: (one) => fieldsView(briefFields(one)),
});
