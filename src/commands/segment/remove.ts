/** Removes targets from a segment. */
import { command } from "../base/define-command.ts";
import { changeTargets, TARGETS } from "./change.ts";

export default command({
  summary: "Remove users or channels from a segment",
  changes: "provider",
  examples: [
    "segment remove testers bo",
    "parley segment targets old --all --ndjson | parley segment remove testers --file -",
  ],
  args: TARGETS,
  needs: "secret",
  run: (call) => changeTargets(call, "deleteSegmentTargets"),
  show: ({ segment, targets }) => `${targets} removed from ${segment}`,
});
