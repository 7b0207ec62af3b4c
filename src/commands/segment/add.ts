/** Adds targets to a segment. */
import { command } from "../base/define-command.ts";
import { changeTargets, TARGETS } from "./change.ts";

export default command({
  summary: "Add users or channels to a segment",
  changes: "provider",
  examples: ["segment add testers bo cy", "segment add testers --file ids.txt"],
  args: TARGETS,
  needs: "secret",
  run: (call) => changeTargets(call, "addSegmentTargets"),
  show: ({ segment, targets }) => `${targets} added to ${segment}`,
});
