/** Polls, options and votes (specification/polls.md). */
import {
  any,
  choice,
  entity,
  flag,
  list,
  map,
  need,
  shape,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";

export const PollOption = shape(() => ({
  id: need(text()),
  text: need(text()),
  "*": any(),
}));
export interface PollOption extends Infer<typeof PollOption> {}

export const PollVote = shape(() => ({
  id: need(text()),
  poll_id: need(text()),
  option_id: text(),
  is_answer: flag(),
  answer_text: text(),
  user_id: text(),
  user: entity("User"),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface PollVote extends Infer<typeof PollVote> {}

export const Poll = shape(() => ({
  id: need(text()),
  name: need(text()),
  description: text(),
  options: need(list(entity("PollOption"))),
  voting_visibility: choice("public", "anonymous"),
  enforce_unique_vote: flag(),
  max_votes_allowed: orNull(whole()),
  allow_user_suggested_options: flag(),
  allow_answers: flag(),
  is_closed: flag(),
  created_by_id: text(),
  created_by: entity("User"),
  created_at: need(time()),
  updated_at: need(time()),
  vote_count: need(whole()),
  vote_counts_by_option: need(map(whole())),
  latest_votes_by_option: need(map(list(entity("PollVote")))),
  answers_count: whole(),
  latest_answers: list(entity("PollVote")),
  own_votes: need(list(entity("PollVote"))),
}));
export interface Poll extends Infer<typeof Poll> {}
