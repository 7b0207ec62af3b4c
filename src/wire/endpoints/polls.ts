/** Endpoints of polls, their options and votes. */
import type { Poll, PollOption, PollVote } from "../poll.ts";
import type { pollBodies } from "../bodies/polls.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ActAs } from "./row.ts";

/** What a poll is made of; custom keys beside these. */
type PollInput = BodyOf<"createPoll">;

type BodyOf<K extends keyof typeof pollBodies> = Infer<(typeof pollBodies)[K]>;
type PollPath = { poll_id: string };
type OptionPath = PollPath & { option_id: string };
type Paged = { next?: string; prev?: string };

export const pollsEndpoints = {
  createPoll: row<object, object, PollInput, { poll: Poll }>("CreatePoll", "POST", "/polls"),
  updatePoll: row<object, object, BodyOf<"updatePoll">, { poll: Poll }>("UpdatePoll", "PUT", "/polls"),
  getPoll: row<PollPath, ActAs, undefined, { poll: Poll }>("GetPoll", "GET", "/polls/{poll_id}"),
  updatePollPartial: row<PollPath, object, BodyOf<"updatePollPartial">, { poll: Poll }>(
    "UpdatePollPartial",
    "PATCH",
    "/polls/{poll_id}",
  ),
  deletePoll: row<PollPath, ActAs>("DeletePoll", "DELETE", "/polls/{poll_id}"),
  queryPolls: row<object, ActAs, BodyOf<"queryPolls">, { polls: Poll[] } & Paged>(
    "QueryPolls",
    "POST",
    "/polls/query",
    {
      safe: true,
    },
  ),
  createPollOption: row<PollPath, object, BodyOf<"createPollOption">, { poll_option: PollOption }>(
    "CreatePollOption",
    "POST",
    "/polls/{poll_id}/options",
  ),
  updatePollOption: row<PollPath, object, BodyOf<"updatePollOption">, { poll_option: PollOption }>(
    "UpdatePollOption",
    "PUT",
    "/polls/{poll_id}/options",
  ),
  getPollOption: row<OptionPath, ActAs, undefined, { poll_option: PollOption }>(
    "GetPollOption",
    "GET",
    "/polls/{poll_id}/options/{option_id}",
  ),
  deletePollOption: row<OptionPath, ActAs>(
    "DeletePollOption",
    "DELETE",
    "/polls/{poll_id}/options/{option_id}",
  ),
  castPollVote: row<
    { message_id: string; poll_id: string },
    object,
    BodyOf<"castPollVote">,
    { poll: Poll; vote: PollVote }
  >("CastPollVote", "POST", "/messages/{message_id}/polls/{poll_id}/vote", { idempotent: true }),
  removePollVote: row<
    { message_id: string; poll_id: string; vote_id: string },
    ActAs,
    undefined,
    { poll: Poll; vote: PollVote }
  >("RemovePollVote", "DELETE", "/messages/{message_id}/polls/{poll_id}/vote/{vote_id}"),
  queryPollVotes: row<PollPath, ActAs, BodyOf<"queryPollVotes">, { votes: PollVote[] } & Paged>(
    "QueryPollVotes",
    "POST",
    "/polls/{poll_id}/votes",
    { safe: true },
  ),
} as const;
