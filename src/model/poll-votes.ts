/** A poll after an event, with the current user's votes, which events never contain (specification/polls.md §5). */
import type { Poll, PollVote } from "../wire/entities/poll.ts";
import type { AnyEvent } from "../wire/events.ts";

const VOTE_CHANGES = {
  "poll.vote_casted": "casted",
  "poll.vote_changed": "changed",
  "poll.vote_removed": "removed",
} as const;

interface VoteChange {
  type: (typeof VOTE_CHANGES)[keyof typeof VOTE_CHANGES];
  vote: PollVote;
  mine: boolean;
}

/** The vote that an event is about; undefined for other events. */
export function voteChangeOf(event: AnyEvent, me: string | undefined): VoteChange | undefined {
  const vote = event.poll_vote as PollVote | undefined;
  if (!vote || !(event.type in VOTE_CHANGES)) return undefined;
  const mine = (vote.user_id ?? vote.user?.id) === me;
  return { type: VOTE_CHANGES[event.type as keyof typeof VOTE_CHANGES], vote, mine };
}

const isAnswer = (vote: PollVote): boolean => Boolean(vote.is_answer);

/** Takes all fields of the new poll but the user's votes, which only their own vote changes (specification/polls.md §5). */
export function mergePoll(held: Poll | null | undefined, next: Poll, vote?: VoteChange): Poll {
  // Removing an option removes its votes (V-10).
  const remaining = new Set((next.options ?? []).map(({ id }) => id));
  const removed = new Set((held?.options ?? []).map(({ id }) => id).filter((id) => !remaining.has(id)));
  let own = [...(held?.own_votes ?? next.own_votes ?? [])].filter(
    (each) => each.option_id === undefined || !removed.has(each.option_id),
  );
  if (vote?.mine) {
    own = own.filter((each) => each.id !== vote.vote.id);
    if (vote.type === "changed") own = own.filter((each) => isAnswer(each) !== isAnswer(vote.vote));
    if (vote.type === "casted") own = own.filter((each) => !sameChoice(each, vote.vote));
    if (vote.type !== "removed") own.push(vote.vote);
  }
  return { ...next, own_votes: own };
}

function sameChoice(a: PollVote, b: PollVote): boolean {
  if (isAnswer(a) || isAnswer(b)) return isAnswer(a) === isAnswer(b);
  return a.option_id === b.option_id;
}
