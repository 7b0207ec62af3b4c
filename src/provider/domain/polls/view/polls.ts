/** Converts polls and votes to the wire: counters are computed from the votes (V-8), voters of anonymous polls are hidden. */
import { LATEST_VOTES } from "../../../../wire/constants.ts";
import type { Poll, PollVote } from "../../../../wire/entities/poll.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import type { Fields } from "../../validation/check.ts";
import type { ViewContext } from "../../users/view/view-context.ts";
import { polls, dataOf, type PollData, type PollRow, type VoteRow } from "../storage/rows.ts";
import { votesOfUser, latestVotes, voteCounts } from "../storage/votes.ts";

/** In an anonymous poll only the voter sees who voted. */
export function voteView(context: ViewContext, row: VoteRow, anonymous: boolean): PollVote {
  const showsVoter = !anonymous || row.user_id === context.viewer;
  return {
    id: row.id,
    poll_id: row.poll_id,
    option_id: row.option_id ?? "",
    ...(row.answer_text === null ? {} : { is_answer: true, answer_text: row.answer_text }),
    ...(showsVoter ? { user_id: row.user_id, user: context.people.get(row.user_id) } : {}),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

export const isAnonymous = (data: PollData): boolean => data.voting_visibility === "anonymous";

interface Counts {
  counts: Record<string, number>;
  voteCount: number;
  answersCount: number;
}

function countsOf(db: Database, pollId: string): Counts {
  const rows = voteCounts(db, pollId);
  const found: Counts = { counts: {}, voteCount: 0, answersCount: 0 };
  for (const { option_id, n } of rows) {
    if (option_id === null) found.answersCount = n;
    else {
      found.voteCount += n;
      found.counts[option_id] = n;
    }
  }
  return found;
}

/** `own_votes` are the viewer's; `[]` without a viewer (in events). */
export function pollView(context: ViewContext, row: PollRow): Poll {
  const { db } = context;
  const data = dataOf(row) as PollData & Fields;
  const anonymous = isAnonymous(data);
  const show = (votes: VoteRow[]): PollVote[] => {
    if (!anonymous) context.people.load(votes.map((vote) => vote.user_id));
    return votes.map((vote) => voteView(context, vote, anonymous));
  };
  const { counts, voteCount, answersCount } = countsOf(db, row.id);
  const latest = Object.fromEntries(
    Object.keys(counts).map((option) => [option, show(latestVotes(db, row.id, option, LATEST_VOTES))]),
  );
  const answers = answersCount === 0 ? [] : latestVotes(db, row.id, null, LATEST_VOTES);
  const ownVotes =
    context.viewer === undefined || voteCount + answersCount === 0
      ? []
      : votesOfUser(db, row.id, context.viewer);
  return {
    ...data,
    id: row.id,
    is_closed: row.closed === 1,
    vote_count: voteCount,
    vote_counts_by_option: counts,
    latest_votes_by_option: latest,
    answers_count: answersCount,
    latest_answers: show(answers),
    own_votes: show(ownVotes),
    created_by_id: row.created_by,
    created_by: context.people.get(row.created_by),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

/** The polls of a page of messages, by poll id. */
export function pollsOf(context: ViewContext, rows: { poll_id: string | null }[]): Map<string, Poll> {
  const ids = new Set(rows.flatMap(({ poll_id }) => (poll_id === null ? [] : [poll_id])));
  const found = new Map<string, Poll>();
  for (const id of ids) {
    const row = polls.find(context.db, { id });
    if (row) found.set(id, pollView(context, row));
  }
  return found;
}
