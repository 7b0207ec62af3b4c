/** Deletes a segment; whoever it picks stays. */
import { withConflicts } from "../conflicts.ts";
import { command } from "../kit.ts";

export default command({
  summary: "Delete a segment; whoever it picks stays",
  examples: ["segment delete testers"],
  aliases: ["rm"],
  args: { segment: { kind: "text", place: "positional", help: "The segment" } },
  needs: "secret",
  confirm: ({ segment }) => ({ level: "moderate", question: `Delete segment ${segment}?` }),
  async run(call) {
    const { segment } = call.args;
    await withConflicts(call.core.call("deleteSegment", { path: { id: segment } }), {
      id: (problem) => {
        const campaign = /campaign (\S+) is using/.exec(problem)?.[1];
        return campaign === undefined
          ? undefined
          : {
              message: `Campaign ${campaign} is using segment ${segment}.`,
              hint: `parley campaign stop ${campaign}`,
            };
      },
    });
    return { id: segment, deleted: true };
  },
  show: ({ id }) => ({ kind: "line", text: `segment ${id} deleted` }),
});
