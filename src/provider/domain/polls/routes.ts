/** The handlers of polls, options and votes, each under the name of its endpoint. */
export { createPollOption, deletePollOption, getPollOption, updatePollOption } from "./rules/options.ts";
export { createPoll, deletePoll, getPoll, updatePoll, updatePollPartial } from "./rules/polls.ts";
export { queryPolls, queryPollVotes } from "./rules/query.ts";
export { castPollVote, removePollVote } from "./rules/votes.ts";
