/** Changes the given fields of a poll: question, description, rules or custom fields. */
import { CommandError, command } from "../base/define-command.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";
import { POLL, pollOf } from "./find-poll.ts";
import { pollFields } from "./poll-views.ts";

export default command({
  summary: "Change fields of a poll",
  changes: "provider",
  aliases: ["update"],
  examples: ["poll set ana-7f3c --name 'Lunch when?'", "poll set ana-7f3c allow_answers=true"],
  args: {
    poll: POLL,
    fields: { ...PAIRS, optional: true, help: "Fields and their new values; a value may be JSON" },
    name: { kind: "text", help: "The question" },
    description: { kind: "text", help: "Description shown below the question" },
    unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  },
  async run(call) {
    const { args } = call;
    const set = {
      ...readPairs(args.fields, "A field"),
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.description === undefined ? {} : { description: args.description }),
    };
    const unset = args.unset;
    if (Object.keys(set).length + unset.length === 0)
      throw new CommandError(
        "usage",
        "Nothing to change.",
        "For example max_votes_allowed=2, --name 'Lunch?' or --unset description.",
      );
    const { id } = await pollOf(call, args.poll);
    const reply = await call.core.call("updatePollPartial", {
      path: { poll_id: id },
      body: { set, unset },
    });
    return reply.poll;
  },
  show: pollFields,
});
