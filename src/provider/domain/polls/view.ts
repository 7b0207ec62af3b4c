/** Polls and votes as rows and as they travel: counters are rebuilt from the votes (V-8), voters of anonymous polls hidden. */
import type { Poll, PollOption, PollVote } from "../../../wire/poll.ts";
import { timeFromMicros } from "../../../wire/time.ts";
import type { Fields } from "../asked/check.ts";
import type { Looking } from "../messages/view.ts";

export interface PollRow {
  id: string;
  created_by: string;
  created_at: number;
  updated_at: number;
  closed: number;
  data: string;
}

/** The JSON of `data`; custom keys beside these. */
export interface PollData {
  name: string;
  description: string;
  options: PollOption[];
  voting_visibility: "public" | "anonymous";
  enforce_unique_vote: boolean;
  max_votes_allowed?: number;
  allow_user_suggested_options: boolean;
  allow_answers: boolean;
}

export interface VoteRow {
  id: string;
  poll_id: string;
  user_id: string;
  option_id: string | null;
  answer_text: string | null;
  created_at: number;
  updated_at: number;
}

export function voteView(at: Looking, row: VoteRow, anonymous: boolean): PollVote {
  const shown = !anonymous || row.user_id === at.viewer;
  return {
    id: row.id,
    poll_id: row.poll_id,
    option_id: row.option_id ?? "",
    ...(row.answer_text === null ? {} : { is_answer: true, answer_text: row.answer_text }),
    ...(shown ? { user_id: row.user_id, user: at.people.get(row.user_id) } : {}),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

const LATEST = 10;

/** `own_votes` are the viewer's, `[]` without one (events). */
export function pollView(at: Looking, row: PollRow): Poll {
  const data = JSON.parse(row.data) as PollData & Fields;
  const votes = at.db.all<VoteRow>(
    "SELECT * FROM poll_votes WHERE poll_id = ? ORDER BY created_at DESC, id DESC",
    row.id,
  );
  const anonymous = data.voting_visibility === "anonymous";
  if (!anonymous) at.people.load(votes.slice(0, 200).map((vote) => vote.user_id));
  const counts: Record<string, number> = {};
  const latest: Record<string, PollVote[]> = {};
  const answers: PollVote[] = [];
  const own: PollVote[] = [];
  let answersCount = 0;
  let voteCount = 0;
  for (const vote of votes) {
    if (vote.option_id === null) {
      answersCount++;
      if (answers.length < LATEST) answers.push(voteView(at, vote, anonymous));
    } else {
      voteCount++;
      counts[vote.option_id] = (counts[vote.option_id] ?? 0) + 1;
      const list = (latest[vote.option_id] ??= []);
      if (list.length < LATEST) list.push(voteView(at, vote, anonymous));
    }
    if (vote.user_id === at.viewer) own.push(voteView(at, vote, anonymous));
  }
  return {
    ...data,
    id: row.id,
    is_closed: row.closed === 1,
    vote_count: voteCount,
    vote_counts_by_option: counts,
    latest_votes_by_option: latest,
    answers_count: answersCount,
    latest_answers: answers,
    own_votes: own,
    created_by_id: row.created_by,
    created_by: at.people.get(row.created_by),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

/** The polls of a page of messages, by poll id. */
export function pollsOf(at: Looking, rows: { poll_id: string | null }[]): Map<string, Poll> {
  const ids = [...new Set(rows.flatMap(({ poll_id }) => (poll_id === null ? [] : [poll_id])))];
  const polls = new Map<string, Poll>();
  for (const id of ids) {
    const row = at.db.get<PollRow>("SELECT * FROM polls WHERE id = ?", id);
    if (row) polls.set(id, pollView(at, row));
  }
  return polls;
}
