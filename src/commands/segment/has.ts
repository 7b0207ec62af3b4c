/** Checks whether a target is in a segment; exits with 3 if not. */
import { SEGMENT } from "./segment-arg.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Check whether a user or channel is in a segment",
  changes: "nothing",
  examples: ["segment has testers bo", "segment has testers bo --json"],
  args: {
    segment: SEGMENT,
    target: { kind: "text", positional: true, help: "A user id, or type:id of a channel" },
  },
  needs: "secret",
  async run(call) {
    const { segment, target } = call.args;
    await call.core.call("segmentTargetExists", { path: { id: segment, target_id: target } });
    return { segment, target_id: target };
  },
  show: ({ segment, target_id }) => `${target_id} is in ${segment}`,
});
