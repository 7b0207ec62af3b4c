/** Counts the targets of a segment now, because the provider's number may be outdated. */
import { SEGMENT } from "./segment-arg.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Count the users or channels in a segment",
  changes: "nothing",
  examples: ["segment size testers", "segment size testers --jq .size"],
  args: { segment: SEGMENT },
  needs: "secret",
  async run(call) {
    const { idsOfSegment, idsOfTargets } = await import("../campaign/audience/people.ts");
    const { segment } = await call.core.call("getSegment", { path: { id: call.args.segment } });
    const counted = segment.type === "user" || !(segment.filter || segment.all_sender_channels);
    if (!counted) return { segment: segment.id, size: segment.size };
    const ids = await (segment.type === "user"
      ? idsOfSegment(call, segment)
      : idsOfTargets(call, segment.id));
    return { segment: segment.id, size: ids.length };
  },
  show: ({ size }) => String(size),
});
