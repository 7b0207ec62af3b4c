/** Changes name, description or filter of a segment. */
import { SEGMENT } from "./segment-arg.ts";
import { readFilter } from "../base/lists/filter.ts";
import { CommandError, command } from "../base/define-command.ts";
import { segmentAsFields } from "./view.ts";

export default command({
  summary: "Change fields of a segment",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "segment set testers --name 'First testers'",
    "segment set testers --description 'Those who try it first'",
  ],
  args: {
    segment: SEGMENT,
    name: { kind: "text", value: "name", help: "Its name" },
    description: { kind: "text", value: "text", help: "What it is for" },
    filter: { kind: "text", value: "json", help: "Filter as JSON; whoever matches is in the segment" },
  },
  needs: "secret",
  async run(call) {
    const { segment, name, description, filter } = call.args;
    if (name === undefined && description === undefined && filter === undefined)
      throw new CommandError("usage", "Nothing is changed: add --name, --description or --filter.");
    const reply = await call.core.call("updateSegment", {
      path: { id: segment },
      body: {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(filter === undefined ? {} : { filter: readFilter(filter) }),
      },
    });
    return reply.segment;
  },
  show: segmentAsFields,
});
