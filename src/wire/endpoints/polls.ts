/** Endpoints of polls, their options and votes. */
import type { Poll, PollOption, PollVote } from "../poll.ts";
import type { ListBody } from "./drafts.ts";
import { row } from "./row.ts";
import type { ActAs, Acting, PartialBody } from "./row.ts";

/** What a poll is made of; custom keys beside these. */
export interface PollInput extends Acting {
  id?: string;
  name: string;
  description?: string;
  options?: (Partial<PollOption> & { text: string })[];
  voting_visibility?: "public" | "anonymous";
  enforce_unique_vote?: boolean;
  max_votes_allowed?: number | null;
  allow_user_suggested_options?: boolean;
  allow_answers?: boolean;
  is_closed?: boolean;
  [custom: string]: unknown;
}

type OptionInput = Acting & { text: string; [custom: string]: unknown };
type PollPath = { poll_id: string };
type OptionPath = PollPath & { option_id: string };
type Paged = { next?: string; prev?: string };

export const pollsEndpoints = {
  createPoll: row<object, object, PollInput, { poll: Poll }>("CreatePoll", "POST", "/polls"),
  updatePoll: row<object, object, PollInput & { id: string }, { poll: Poll }>("UpdatePoll", "PUT", "/polls"),
  getPoll: row<PollPath, ActAs, undefined, { poll: Poll }>("GetPoll", "GET", "/polls/{poll_id}"),
  updatePollPartial: row<PollPath, object, PartialBody, { poll: Poll }>(
    "UpdatePollPartial",
    "PATCH",
    "/polls/{poll_id}",
  ),
  deletePoll: row<PollPath, ActAs>("DeletePoll", "DELETE", "/polls/{poll_id}"),
  queryPolls: row<object, ActAs, ListBody, { polls: Poll[] } & Paged>("QueryPolls", "POST", "/polls/query", {
    safe: true,
  }),
  createPollOption: row<PollPath, object, OptionInput & { id?: string }, { poll_option: PollOption }>(
    "CreatePollOption",
    "POST",
    "/polls/{poll_id}/options",
  ),
  updatePollOption: row<PollPath, object, OptionInput & { id: string }, { poll_option: PollOption }>(
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
    Acting & { vote: { option_id?: string; answer_text?: string } },
    { poll: Poll; vote: PollVote }
  >("CastPollVote", "POST", "/messages/{message_id}/polls/{poll_id}/vote", { idempotent: true }),
  removePollVote: row<
    { message_id: string; poll_id: string; vote_id: string },
    ActAs,
    undefined,
    { poll: Poll; vote: PollVote }
  >("RemovePollVote", "DELETE", "/messages/{message_id}/polls/{poll_id}/vote/{vote_id}"),
  queryPollVotes: row<PollPath, ActAs, ListBody, { votes: PollVote[] } & Paged>(
    "QueryPollVotes",
    "POST",
    "/polls/{poll_id}/votes",
    { safe: true },
  ),
} as const;
