/** Endpoints of polls, their options and votes. */
import type { Poll, PollOption, PollVote } from "../entities/poll.ts";
import type { pollBodies } from "../bodies/polls.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ActAs } from "./row.ts";

/** The keys of a poll, besides custom ones. */
type PollInput = BodyOf<"createPoll">;

type BodyOf<K extends keyof typeof pollBodies> = Infer<(typeof pollBodies)[K]>;
type PollPath = { poll_id: string };
type OptionPath = PollPath & { option_id: string };
type Paged = { next?: string; prev?: string };

export const pollsEndpoints = withOperations({
  createPoll: row<{ poll: Poll }, PollInput>("POST /polls"),
  updatePoll: row<{ poll: Poll }, BodyOf<"updatePoll">>("PUT /polls"),
  getPoll: row<{ poll: Poll }, undefined, PollPath, ActAs>("GET /polls/{poll_id}"),
  updatePollPartial: row<{ poll: Poll }, BodyOf<"updatePollPartial">, PollPath>("PATCH /polls/{poll_id}"),
  deletePoll: row<object, undefined, PollPath, ActAs>("DELETE /polls/{poll_id}"),
  queryPolls: row<{ polls: Poll[] } & Paged, BodyOf<"queryPolls">, object, ActAs>("POST /polls/query", {
    safe: true,
  }),
  createPollOption: row<{ poll_option: PollOption }, BodyOf<"createPollOption">, PollPath>(
    "POST /polls/{poll_id}/options",
  ),
  updatePollOption: row<{ poll_option: PollOption }, BodyOf<"updatePollOption">, PollPath>(
    "PUT /polls/{poll_id}/options",
  ),
  getPollOption: row<{ poll_option: PollOption }, undefined, OptionPath, ActAs>(
    "GET /polls/{poll_id}/options/{option_id}",
  ),
  deletePollOption: row<object, undefined, OptionPath, ActAs>("DELETE /polls/{poll_id}/options/{option_id}"),
  castPollVote: row<
    { poll: Poll; vote: PollVote },
    BodyOf<"castPollVote">,
    { message_id: string; poll_id: string }
  >("POST /messages/{message_id}/polls/{poll_id}/vote", { idempotent: true }),
  removePollVote: row<
    { poll: Poll; vote: PollVote },
    undefined,
    { message_id: string; poll_id: string; vote_id: string },
    ActAs
  >("DELETE /messages/{message_id}/polls/{poll_id}/vote/{vote_id}"),
  queryPollVotes: row<{ votes: PollVote[] } & Paged, BodyOf<"queryPollVotes">, PollPath, ActAs>(
    "POST /polls/{poll_id}/votes",
    { safe: true },
  ),
});
