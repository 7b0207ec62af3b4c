/** Routes of polls, options and votes by the name of their endpoint row. */
import { createPollOption, deletePollOption, getPollOption, updatePollOption } from "./rules/options.ts";
import { createPoll, deletePoll, getPoll, updatePoll, updatePollPartial } from "./rules/polls.ts";
import { queryPolls, queryPollVotes } from "./rules/query.ts";
import { castPollVote, removePollVote } from "./rules/votes.ts";

export const pollRoutes = {
  createPoll,
  updatePoll,
  getPoll,
  updatePollPartial,
  deletePoll,
  queryPolls,
  createPollOption,
  updatePollOption,
  getPollOption,
  deletePollOption,
  castPollVote,
  removePollVote,
  queryPollVotes,
};
