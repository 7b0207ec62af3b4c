/** Waits for an import: exits with 7 for an invalid file, 1 when storing failed, 8 when the time is up. */
import { command } from "../base/define-command.ts";
import { WITHIN } from "../base/poll-task.ts";
import { waitForImport } from "./wait-for-import.ts";
import { importFields } from "./view.ts";

export default command({
  summary: "Wait for an import to finish",
  changes: "nothing",
  examples: [
    "import wait 5b2c41d0 --within 10m",
    'parley import wait "$(parley import list --limit 1 --jq .id)"',
  ],
  args: { import: { kind: "text", positional: true, help: "The import" }, within: WITHIN },
  needs: "secret",
  run: (call) => waitForImport(call, call.args.import, call.args.within),
  show: importFields,
});
