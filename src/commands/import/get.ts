/** Shows how far an import is and what it found. */
import { command } from "../base/define-command.ts";
import { importFields } from "./view.ts";

export default command({
  summary: "Show how far an import is and what it found",
  examples: ["import get 5b2c…", "import get 5b2c… --jq .result.errors"],
  args: { import: { kind: "text", place: "positional", help: "The import" } },
  needs: "secret",
  run: async (call) => (await call.core.call("getImport", { path: { id: call.args.import } })).import_task,
  show: importFields,
});
