/** Shows the results of a poll, one option per row with a bar. */
import { command } from "../base/define-command.ts";
import { POLL, pollOf } from "./find-poll.ts";

/** Width of a full bar in cells. */
const BAR_WIDTH = 20;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a share from 0 to 1, in eighths of a cell. */
function bar(share: number): string {
  const eighths = Math.round(share * BAR_WIDTH * 8);
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}

export default command({
  summary: "Show the results of a poll",
  changes: "nothing",
  chatAlias: "results",
  examples: ["poll results ana-7f3c", "poll results ana-7f3c --json"],
  args: {
    poll: POLL,
  },
  async run(call) {
    const poll = await pollOf(call, call.args.poll);
    const maxVotes = Math.max(0, ...Object.values(poll.vote_counts_by_option));
    return {
      id: poll.id,
      name: poll.name,
      is_closed: poll.is_closed ?? false,
      vote_count: poll.vote_count,
      answers_count: poll.answers_count ?? 0,
      options: poll.options.map(({ id, text }) => {
        const votes = poll.vote_counts_by_option[id] ?? 0;
        return {
          id,
          text,
          votes,
          share: poll.vote_count === 0 ? 0 : votes / poll.vote_count,
          leading: maxVotes > 0 && votes === maxVotes,
          mine: poll.own_votes.some((vote) => vote.option_id === id),
        };
      }),
    };
  },
  show: ({ options }) => ({
    kind: "table",
    columns: ["option", "votes", "share", ""],
    rows: options.map(({ text, votes, share, mine }) => [
      mine ? `${text} *` : text,
      votes,
      `${Math.round(share * 100)} %`,
      bar(share),
    ]),
  }),
});
