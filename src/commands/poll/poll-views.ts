/** Shows polls and votes. */
import { rowOf, type View } from "../base/define-command.ts";
import type { Poll, PollVote } from "../../wire/entities/poll.ts";

const rules = (poll: Poll): string =>
  [
    poll.is_closed ? "closed" : "open",
    poll.voting_visibility === "anonymous" ? "anonymous" : "",
    poll.enforce_unique_vote ? "one vote each" : "",
    poll.max_votes_allowed ? `up to ${poll.max_votes_allowed} votes` : "",
    poll.allow_answers ? "answers" : "",
    poll.allow_user_suggested_options ? "suggestions" : "",
  ]
    .filter(Boolean)
    .join(", ");

export const pollAsRow = (poll: Poll): View =>
  rowOf(poll, {
    poll: "id",
    question: "name",
    options: { cell: poll.options.length },
    votes: "vote_count",
    rules: { cell: rules(poll) },
    created: "created_at",
  });

export const pollFields = (poll: Poll): View => ({
  kind: "fields",
  fields: [
    ["poll", poll.id],
    ["question", poll.name],
    ["description", poll.description || undefined],
    ["rules", rules(poll)],
    ["by", poll.created_by?.name ?? poll.created_by_id],
    ["votes", poll.vote_count],
    ["answers", poll.answers_count || undefined],
    ...poll.options.map((option, i): [string, string] => [
      `${i + 1}`,
      `${option.text} (${poll.vote_counts_by_option[option.id] ?? 0})`,
    ]),
  ],
});

export const voteRow = (vote: PollVote & { option?: string }): View =>
  rowOf(vote, {
    vote: "id",
    user: { field: "user_id", cell: vote.user?.name ?? vote.user_id },
    option: "option",
    answer: "answer_text",
    at: "created_at",
  });
