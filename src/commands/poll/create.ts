/** Creates a poll and, with a channel, sends it in a message (specification/polls.md §3, V-11). */
import type { Message } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { readChannel } from "../base/args.ts";
import { filledPollForm, NO_OPTION, pollPayload, type PollFields } from "../../model/poll-form.ts";
import { CommandError, command, idView, type Args, type ArgValues } from "../base/define-command.ts";
import { CUSTOM, readPairs } from "../base/custom-fields.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { PlannedSteps } from "../base/planned-steps.ts";
import { nameMentions } from "../base/mentions.ts";
import { checkedPoll } from "./form.ts";
import { sendWithPoll } from "./send-with-poll.ts";

const rows = {
  question: { kind: "words", positional: "rest", help: "The question" },
  channel: {
    kind: "channel",
    short: "c",
    help: "Send it to this channel; otherwise the poll is only created",
  },
  option: { kind: "list", value: "text", short: "o", mayBeEmpty: true, help: "An option (repeatable)" },
  description: { kind: "text", help: "Description shown below the question" },
  text: { kind: "text", help: "Text of the message with the poll" },
  unique: { kind: "flag", help: "Allow one vote each; a new vote replaces it" },
  maxVotes: { kind: "text", value: "number", help: "How many options each person may choose, 2 to 10" },
  anonymous: { kind: "flag", help: "Hide who voted for what" },
  answers: { kind: "flag", help: "Let voters write their own answer" },
  suggestions: { kind: "flag", help: "Let voters add options" },
  id: { kind: "text", help: "Choose the id of the poll" },
  custom: CUSTOM,
} as const satisfies Args;

/** The poll form filled in by flags. */
function fieldsOf(args: ArgValues<typeof rows>): PollFields {
  return {
    name: args.question,
    options: args.option,
    ...(args.id !== undefined && { id: args.id }),
    ...(args.description !== undefined && { description: args.description }),
    ...(args.maxVotes !== undefined && { max_votes_allowed: args.maxVotes }),
    ...(args.anonymous && { voting_visibility: "anonymous" }),
    enforce_unique_vote: args.unique,
    allow_answers: args.answers,
    allow_user_suggested_options: args.suggestions,
    ...(args.custom.length && { custom: readPairs(args.custom, "--custom") }),
  };
}

export default command({
  summary: "Create a poll",
  changes: "provider",
  examples: [
    "poll create -c messaging:ops 'Lunch where?' --option Noodles --option Soup",
    "poll create 'Ship it?' --option Yes --option No --unique --anonymous",
  ],
  args: rows,
  needsStore: true,
  async run(call): Promise<{ poll: Poll; message?: Message }> {
    const { args, core } = call;
    if (args.option.length === 0) throw new CommandError("usage", `${NO_OPTION}.`, "Add --option.");
    const form = checkedPoll(filledPollForm(fieldsOf(args), core.userId ?? "", () => call.random()));
    const channel =
      args.channel ?? (call.currentChannel && readChannel(call.currentChannel, call.channelType));
    if (channel === undefined || channel === "")
      return { poll: (await core.call("createPoll", { body: pollPayload(form) })).poll };
    const composer = core.composer({ cid: await cidOf(call, channel, true) }, { transient: true });
    const poll = await new PlannedSteps(call.dry).take(() => composer.poll.submit(form));
    const text = args.text ?? "";
    composer.typed(text, text.length);
    await nameMentions(call, composer, text);
    const planned = { custom: { poll_id: form.id } };
    const outcome = await sendWithPoll(core, poll, () => composer.send(poll ? {} : planned)!);
    if (outcome.state === "failed") throw outcome.error;
    // A dry run has thrown its plan before.
    return { poll: poll!, message: outcome.message };
  },
  show: ({ poll, message }) => idView(message ?? poll),
});
