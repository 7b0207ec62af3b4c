/** Votes in the poll of a message: for an option, or with a written answer. */
import { CommandError, command } from "../base/define-command.ts";
import { messageWithPoll, optionOf, POLL_MESSAGE } from "./find-poll.ts";
import { pollFields } from "./poll-views.ts";

export default command({
  summary: "Vote in a poll",
  changes: "provider",
  chatAlias: "vote",
  examples: ["poll vote ana-7f3c Noodles", "poll vote ana-7f3c 2", "poll vote ana-7f3c --answer 'neither'"],
  args: {
    message: POLL_MESSAGE,
    option: { kind: "words", positional: "rest", optional: true, help: "The option: its number, text or id" },
    answer: { kind: "text", help: "An answer in your own words" },
  },
  async run(call) {
    const { message: id, option, answer } = call.args;
    if ((option === undefined) === (answer === undefined))
      throw new CommandError("usage", "Give an option, or --answer with your own words.");
    const { poll } = await messageWithPoll(call, id);
    return call.core.call("castPollVote", {
      path: { message_id: id, poll_id: poll.id },
      body: {
        vote: answer === undefined ? { option_id: optionOf(poll, option!).id } : { answer_text: answer },
      },
    });
  },
  show: ({ poll }) => pollFields(poll),
});
