/** Endpoints of polls, their options and votes. */
import { entity, list, need } from "../entities/fields.ts";
import { actAs, cursors, row, withOperations } from "./row.ts";

export const pollsEndpoints = withOperations({
  createPoll: row("POST /polls", { answer: () => ({ poll: need(entity("Poll")) }) }),
  updatePoll: row("PUT /polls", { answer: () => ({ poll: need(entity("Poll")) }) }),
  getPoll: row("GET /polls/{poll_id}", { query: actAs, answer: () => ({ poll: need(entity("Poll")) }) }),
  updatePollPartial: row("PATCH /polls/{poll_id}", { answer: () => ({ poll: need(entity("Poll")) }) }),
  deletePoll: row("DELETE /polls/{poll_id}", { query: actAs }),
  queryPolls: row("POST /polls/query", {
    safe: true,
    query: actAs,
    answer: () => ({ polls: need(list(entity("Poll"))), ...cursors }),
  }),
  createPollOption: row("POST /polls/{poll_id}/options", {
    answer: () => ({ poll_option: need(entity("PollOption")) }),
  }),
  updatePollOption: row("PUT /polls/{poll_id}/options", {
    answer: () => ({ poll_option: need(entity("PollOption")) }),
  }),
  getPollOption: row("GET /polls/{poll_id}/options/{option_id}", {
    query: actAs,
    answer: () => ({ poll_option: need(entity("PollOption")) }),
  }),
  deletePollOption: row("DELETE /polls/{poll_id}/options/{option_id}", { query: actAs }),
  castPollVote: row("POST /messages/{message_id}/polls/{poll_id}/vote", {
    idempotent: true,
    answer: () => ({ poll: need(entity("Poll")), vote: need(entity("PollVote")) }),
  }),
  removePollVote: row("DELETE /messages/{message_id}/polls/{poll_id}/vote/{vote_id}", {
    query: actAs,
    answer: () => ({ poll: need(entity("Poll")), vote: need(entity("PollVote")) }),
  }),
  queryPollVotes: row("POST /polls/{poll_id}/votes", {
    safe: true,
    query: actAs,
    answer: () => ({ votes: need(list(entity("PollVote"))), ...cursors }),
  }),
});
