/** Endpoints of polls and votes. */
import type { Poll, PollOption, PollVote } from "../poll.ts";
import { row } from "./row.ts";
import type { ActAs, Acting, PartialBody } from "./row.ts";

export const pollsEndpoints = {
  createPoll: row<
    object,
    object,
    Acting & Partial<Poll> & { name: string; options?: (Partial<PollOption> & { text: string })[] },
    { poll: Poll }
  >("CreatePoll", "POST", "/polls"),
  getPoll: row<{ poll_id: string }, ActAs, undefined, { poll: Poll }>("GetPoll", "GET", "/polls/{poll_id}"),
  updatePollPartial: row<{ poll_id: string }, object, PartialBody, { poll: Poll }>(
    "UpdatePoll",
    "PATCH",
    "/polls/{poll_id}",
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
} as const;
