/** Shows one segment. */
import { SEGMENT } from "./segment-arg.ts";
import { command } from "../base/define-command.ts";
import { segmentAsFields } from "./view.ts";

export default command({
  summary: "Show a segment and its size",
  changes: "nothing",
  examples: ["segment get testers", "segment get testers --jq .size"],
  args: { segment: SEGMENT },
  needs: "secret",
  run: async (call) => (await call.core.call("getSegment", { path: { id: call.args.segment } })).segment,
  show: segmentAsFields,
});
