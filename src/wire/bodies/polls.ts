/** Bodies of polls, their options and votes. */
import {
  ANSWER_LIMIT,
  CUSTOM_DATA_LIMIT,
  POLL_MAX_OPTIONS,
  POLL_MAX_VOTES_ALLOWED,
  POLL_TEXT_LIMIT,
  POLLS_LIMIT,
} from "../constants.ts";
import { Poll } from "../entities/poll.ts";
import {
  choice,
  custom,
  flag,
  id,
  ignoredOf,
  list,
  need,
  object,
  sentBack,
  text,
  whole,
} from "../entities/fields.ts";
import { acting, listing, partial } from "./frame.ts";

export const pollOption = {
  id: id(),
  text: need(text(POLL_TEXT_LIMIT)),
  "*": custom(CUSTOM_DATA_LIMIT),
};

/** The keys of a poll, besides custom ones. */
export const poll = sentBack(
  {
    name: need(text(POLL_TEXT_LIMIT)),
    description: text(),
    options: list(object(pollOption), POLL_MAX_OPTIONS),
    voting_visibility: choice("public", "anonymous"),
    enforce_unique_vote: flag(),
    max_votes_allowed: whole(1, POLL_MAX_VOTES_ALLOWED),
    allow_user_suggested_options: flag(),
    allow_answers: flag(),
    is_closed: flag(),
    "*": custom(CUSTOM_DATA_LIMIT),
  },
  Poll,
  "user",
  "user_id",
  "cid",
  "duration",
);

/** Built-in fields of a poll that a partial update may set; options have calls of their own. */
export const SETTABLE_OF_POLLS: ReadonlySet<string> = new Set(
  Object.keys(poll).filter((key) => !["*", "options", ...ignoredOf(poll)].includes(key)),
);

export const pollBodies = {
  createPoll: { ...poll, ...acting, id: id() },
  updatePoll: { ...poll, ...acting, id: need(id()) },
  updatePollPartial: partial(poll),
  queryPolls: listing(POLLS_LIMIT),
  createPollOption: { ...acting, ...pollOption },
  updatePollOption: { ...acting, ...pollOption, id: need(id()) },
  castPollVote: {
    ...acting,
    vote: need(object({ option_id: id(), answer_text: text(ANSWER_LIMIT) })),
  },
  queryPollVotes: listing(POLLS_LIMIT),
};
