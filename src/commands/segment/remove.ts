/** Takes targets out of a segment. */
import { command } from "../base/define-command.ts";
import { changeTargets, TARGETS } from "./change.ts";

export default command({
  summary: "Take users or channels out of a segment",
  examples: ["segment remove testers bo"],
  args: TARGETS,
  needs: "secret",
  run: (call) => changeTargets(call, "deleteSegmentTargets"),
  show: ({ segment, targets }) => `${targets} removed from ${segment}`,
});
