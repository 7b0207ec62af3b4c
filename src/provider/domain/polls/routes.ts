/** Routes of polls, options and votes by the name of their endpoint row. */
export { createPollOption, deletePollOption, getPollOption, updatePollOption } from "./rules/options.ts";
export { createPoll, deletePoll, getPoll, updatePoll, updatePollPartial } from "./rules/polls.ts";
export { queryPolls, queryPollVotes } from "./rules/query.ts";
export { castPollVote, removePollVote } from "./rules/votes.ts";
