/** How polls look in lists and one by one. */
import { rowView, type View } from "../base/define-command.ts";
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

export const pollRow = (poll: Poll): View =>
  rowView(
    {
      poll: poll.id,
      question: poll.name,
      options: poll.options.length,
      votes: poll.vote_count,
      rules: rules(poll),
      created: poll.created_at,
    },
    { poll: "id", question: "name", votes: "vote_count", created: "created_at" },
  );

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
  rowView(
    {
      vote: vote.id,
      user: vote.user?.name ?? vote.user_id,
      option: vote.option,
      answer: vote.answer_text,
      at: vote.created_at,
    },
    { vote: "id", user: "user_id", answer: "answer_text", at: "created_at" },
  );
