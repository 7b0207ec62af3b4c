/** Withdraws the user's vote for an option, or all their votes and answers. */
import type { PollVote } from "../../wire/entities/poll.ts";
import { CommandError, command } from "../base/define-command.ts";
import { messageWithPoll, optionOf, POLL_MESSAGE } from "./find-poll.ts";

export default command({
  summary: "Withdraw your votes",
  changes: "provider",
  examples: ["poll unvote ana-7f3c", "poll unvote ana-7f3c Noodles"],
  args: {
    message: POLL_MESSAGE,
    option: {
      kind: "words",
      positional: "rest",
      optional: true,
      help: "Withdraw only the vote for this option: its number, text or id",
    },
    answer: { kind: "flag", help: "Withdraw only your answer" },
  },
  async run(call): Promise<{ removed: PollVote[] }> {
    const { message: id, option, answer } = call.args;
    if (answer && option !== undefined)
      throw new CommandError("usage", "An option and --answer cannot be combined.");
    const { poll } = await messageWithPoll(call, id);
    const only = option === undefined ? undefined : optionOf(poll, option).id;
    const selected = poll.own_votes.filter((vote) =>
      answer ? vote.is_answer : only === undefined || vote.option_id === only,
    );
    if (selected.length === 0) throw new CommandError("notFound", "You have no such vote in this poll.");
    const removed: PollVote[] = [];
    for (const vote of selected) {
      const path = { message_id: id, poll_id: poll.id, vote_id: vote.id };
      removed.push((await call.core.call("removePollVote", { path, query: {} })).vote);
    }
    return { removed };
  },
  show: ({ removed }) => (removed.length === 1 ? "1 vote withdrawn" : `${removed.length} votes withdrawn`),
});
