/** Loads reactions and votes that a message does not include. */
import { POLLS_LIMIT, QUERY_REACTIONS_LIMIT } from "../../../wire/constants.ts";
import type { Message, Reaction } from "../../../wire/entities/message.ts";
import type { Poll, PollVote } from "../../../wire/entities/poll.ts";
import type { MessageWithDetails } from "../../../jobs/archive/writer.ts";
import { unreadItems } from "../../../wire/raw-items.ts";
import { byCursor } from "../../base/lists/cursor.ts";
import { retryRateLimited, type ReadContext } from "./requests.ts";
import { itemName } from "../../../wire/reading.ts";

const EVERYTHING = { limit: Infinity };

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const reactionCount = ({ reaction_groups: groups }: Message): number =>
  Object.values(groups ?? {}).reduce((sum, { count }) => sum + count, 0);

/** Votes and answers included in a poll. */
function includedVotes(poll: Poll): PollVote[] {
  const byId = new Map<string, PollVote>();
  for (const votes of Object.values(poll.latest_votes_by_option ?? {}))
    for (const vote of votes) byId.set(vote.id, vote);
  for (const answer of poll.latest_answers ?? []) byId.set(answer.id, answer);
  for (const vote of poll.own_votes ?? []) byId.set(vote.id, vote);
  return [...byId.values()];
}

const hasAllReactions = (message: Message): boolean =>
  (message.latest_reactions ?? []).length >= reactionCount(message);

/** Anonymous polls have no visible votes. */
const hasAllVotes = (poll: Poll): boolean =>
  poll.voting_visibility === "anonymous" ||
  includedVotes(poll).length >= poll.vote_count + (poll.answers_count ?? 0);

/** Whether the message includes all its reactions and votes. */
export const isComplete = (message: Message): boolean =>
  hasAllReactions(message) && (!message.poll || hasAllVotes(message.poll));

/** A message with the reactions and votes it includes. */
export const withIncluded = (message: Message): MessageWithDetails => ({
  message,
  reactions: message.latest_reactions ?? [],
  ...(message.poll ? { votes: includedVotes(message.poll) } : {}),
});

export async function reactionsOf(context: ReadContext, message: Message): Promise<Reaction[]> {
  if (hasAllReactions(message)) return message.latest_reactions ?? [];
  return toArray(
    byCursor(EVERYTHING, QUERY_REACTIONS_LIMIT[1], itemName("reactions"), async (pageQuery, once) => {
      const { reactions, next } = await retryRateLimited(context, () =>
        context.core.call("queryReactions", {
          path: { id: message.id },
          body: { filter: {}, ...pageQuery },
          ...once,
        }),
      );
      context.onUnread?.(message.cid, "reaction", unreadItems(reactions), message.id);
      return { items: reactions, next };
    }),
  );
}

export async function votesOf(context: ReadContext, { id, cid }: Message, poll: Poll): Promise<PollVote[]> {
  if (hasAllVotes(poll)) return includedVotes(poll);
  const path = { poll_id: poll.id };
  return toArray(
    byCursor(EVERYTHING, POLLS_LIMIT[1], itemName("votes"), async (pageQuery, once) => {
      const { votes, next } = await retryRateLimited(context, () =>
        context.core.call("queryPollVotes", { path, query: {}, body: { filter: {}, ...pageQuery }, ...once }),
      );
      context.onUnread?.(cid, "vote", unreadItems(votes), id);
      return { items: votes, next };
    }),
  );
}
