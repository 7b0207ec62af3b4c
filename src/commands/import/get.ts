/** Shows the state and results of an import. */
import { command } from "../base/define-command.ts";
import { importFields } from "./view.ts";

export default command({
  summary: "Show the progress and result of an import",
  changes: "nothing",
  examples: ["import get 5b2c41d0", "import get 5b2c41d0 --jq .result.errors"],
  args: { import: { kind: "text", positional: true, help: "The import" } },
  needs: "secret",
  run: async (call) => (await call.core.call("getImport", { path: { id: call.args.import } })).import_task,
  show: importFields,
});
