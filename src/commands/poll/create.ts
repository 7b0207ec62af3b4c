/** Makes a poll and, with a channel, sends the message that carries it (specification/polls.md §3, V-11). */
import type { Message } from "../../wire/message.ts";
import type { Poll } from "../../wire/poll.ts";
import { readChannel } from "../base/args.ts";
import { CommandError, command } from "../base/define-command.ts";
import { readPairs } from "../base/custom-fields.ts";
import { cidOf } from "../base/place.ts";

export default command({
  summary: "Ask a question with options",
  examples: [
    "poll create -c messaging:ops 'Lunch where?' --option Noodles --option Soup",
    "poll create 'Ship it?' --option Yes --option No --unique --anonymous",
  ],
  args: {
    question: { kind: "words", place: "rest", help: "The question" },
    channel: {
      kind: "channel",
      place: "flag",
      short: "c",
      optional: true,
      help: "Send it to this channel; without one the poll is only made",
    },
    option: {
      kind: "list",
      value: "text",
      place: "flag",
      optional: true,
      short: "o",
      help: "An option (repeat for more)",
    },
    description: { kind: "text", place: "flag", optional: true, help: "More words about it" },
    text: { kind: "text", place: "flag", optional: true, help: "Text of the message that carries it" },
    unique: { kind: "flag", place: "flag", optional: true, help: "One vote each; a new one replaces it" },
    maxVotes: { kind: "number", place: "flag", optional: true, help: "Options each may choose, up to 10" },
    anonymous: { kind: "flag", place: "flag", optional: true, help: "Nobody sees who voted for what" },
    answers: { kind: "flag", place: "flag", optional: true, help: "Voters may write an answer" },
    suggestions: { kind: "flag", place: "flag", optional: true, help: "Voters may add options" },
    id: { kind: "text", place: "flag", optional: true, help: "The poll's id, chosen by you" },
    custom: {
      kind: "list",
      value: "name=value",
      place: "flag",
      optional: true,
      help: "Custom field name=value (repeat for more)",
    },
  },
  needs: "api",
  keeps: true,
  async run(call): Promise<{ poll: Poll; message?: Message }> {
    const { args, core } = call;
    const texts = (args.option ?? []).map((text) => text.trim());
    if (texts.includes("")) throw new CommandError("usage", "An option is blank.");
    if (texts.length === 0 && !args.suggestions && !args.answers)
      throw new CommandError("usage", "A poll needs something to choose.", "Add --option, or --answers.");
    const place = args.channel ?? (call.here && readChannel(call.here, call.channelType));
    const cid = place === undefined || place === "" ? undefined : await cidOf(call, place, true);
    const { poll } = await core.call("createPoll", {
      body: {
        ...readPairs(args.custom ?? [], "--custom"),
        name: args.question,
        options: texts.map((text) => ({ text })),
        ...(args.id === undefined ? {} : { id: args.id }),
        ...(args.description === undefined ? {} : { description: args.description }),
        ...(args.unique ? { enforce_unique_vote: true } : {}),
        ...(args.maxVotes === undefined ? {} : { max_votes_allowed: args.maxVotes }),
        ...(args.anonymous ? { voting_visibility: "anonymous" } : {}),
        ...(args.answers ? { allow_answers: true } : {}),
        ...(args.suggestions ? { allow_user_suggested_options: true } : {}),
      },
    });
    if (cid === undefined) return { poll };
    const outcome = await core.send({ cid }, { text: args.text ?? "", custom: { poll_id: poll.id } }).outcome;
    if (outcome.state === "failed") throw outcome.error;
    return { poll, message: outcome.message };
  },
  show: ({ poll, message }) => ({ kind: "line", text: message?.id ?? poll.id }),
});
