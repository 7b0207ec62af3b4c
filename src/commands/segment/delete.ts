/** Deletes a segment; whoever it picks stays. */
import { command } from "../kit.ts";

export default command({
  summary: "Delete a segment; whoever it picks stays",
  examples: ["segment delete testers"],
  aliases: ["rm"],
  args: { segment: { kind: "text", place: "positional", help: "The segment" } },
  needs: "secret",
  confirm: ({ segment }) => ({ level: "moderate", question: `Delete segment ${segment}?` }),
  async run(call) {
    await call.core.call("deleteSegment", { path: { id: call.args.segment } });
    return { id: call.args.segment, deleted: true };
  },
  show: ({ id }) => ({ kind: "line", text: `segment ${id} deleted` }),
});
