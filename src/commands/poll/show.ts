/** How polls look in lists and one by one. */
import type { Poll, PollVote } from "../../wire/poll.ts";
import type { View } from "../base/define-command.ts";

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

export const pollRow = (poll: Poll): View => ({
  kind: "table",
  columns: ["poll", "question", "options", "votes", "rules", "created"],
  rows: [[poll.id, poll.name, poll.options.length, poll.vote_count, rules(poll), poll.created_at]],
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

export const voteRow = (vote: PollVote & { option?: string }): View => ({
  kind: "table",
  columns: ["vote", "user", "option", "answer", "at"],
  rows: [[vote.id, vote.user?.name ?? vote.user_id, vote.option, vote.answer_text, vote.created_at]],
});
