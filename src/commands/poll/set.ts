/** Changes the given fields of a poll, or those of a file: question, description, rules or custom fields. */
import type { Poll } from "../../wire/entities/poll.ts";
import { CommandError, command, type Args, type ArgValues, type Call } from "../base/define-command.ts";
import { isBulkSet, SET_FILE_ARGS, setFields } from "../base/bulk/set-from-file.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";
import { POLL, pollOf } from "./find-poll.ts";
import { pollFields } from "./poll-views.ts";
import { settablePolls, TEXTS_OF_POLLS } from "./settable-polls.ts";

const ARGS = {
  poll: { ...POLL, orFile: true },
  fields: { ...PAIRS, optional: true, help: "Fields and their new values; a value may be JSON" },
  name: { kind: "text", help: "The question" },
  description: { kind: "text", help: "Description shown below the question" },
  unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;

const fieldsOf = ({ fields, name, description }: ArgValues<typeof ARGS>): Record<string, unknown> => ({
  ...readPairs(fields, "A field", TEXTS_OF_POLLS),
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
});

async function changeOne(call: SetCall): Promise<Poll> {
  const { args, core } = call;
  const set = fieldsOf(args);
  const { unset } = args;
  if (Object.keys(set).length + unset.length === 0)
    throw new CommandError(
      "usage",
      "Nothing to change.",
      "For example max_votes_allowed=2, --name 'Lunch?' or --unset description.",
    );
  const { id: poll_id } = await pollOf(call, args.poll!);
  return (await core.call("updatePollPartial", { path: { poll_id }, body: { set, unset } })).poll;
}

/** Changes the fields of the polls of a file. */
async function* changeMany(call: SetCall): AsyncIterable<Poll> {
  const { args, core } = call;
  const named = args.poll === undefined ? [] : [(await pollOf(call, args.poll)).id];
  yield* setFields(call, named, { set: fieldsOf(args), unset: args.unset }, settablePolls(core));
}

export default command({
  summary: "Change fields of a poll",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "poll set ana-7f3c --name 'Lunch when?'",
    "poll set ana-7f3c allow_answers=true",
    "parley poll list --open --ndjson | parley poll set --file - is_closed=true",
  ],
  args: ARGS,
  run: (call): Promise<Poll> | AsyncIterable<Poll> =>
    isBulkSet(call.args) ? changeMany(call) : changeOne(call),
  show: pollFields,
});
