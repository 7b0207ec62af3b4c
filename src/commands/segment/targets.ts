/** Lists the targets of a segment by id. */
import { SEGMENT } from "./segment-arg.ts";
import { SEGMENT_TARGETS_PAGE } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { command, rowOf } from "../base/define-command.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List the users or channels in a segment",
  changes: "nothing",
  examples: ["segment targets testers --all --jq .target_id", "segment targets testers --csv"],
  args: { segment: SEGMENT },
  needs: "secret",
  async *run(call) {
    yield* byCursor(call.page, SEGMENT_TARGETS_PAGE[1], itemName("targets"), async (pageQuery, once) => {
      const { targets, next } = await call.core.call("querySegmentTargets", {
        path: { id: call.args.segment },
        body: pageQuery,
        ...once,
      });
      return { items: targets, next };
    });
  },
  show: (target) =>
    rowOf(target, {
      target: "target_id",
      since: "created_at",
    }),
});
