/** Casts and removes votes and answers (specification/polls.md §4). */
import { pollBodies } from "../../../../wire/bodies/polls.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { requirePermission, requireFeature, requireNotBanned } from "../../access/view/policy.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { messageFor } from "../../messages/view/visibility.ts";
import { viewContext } from "../../users/view/view-context.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { publishPoll } from "./poll-messages.ts";
import { polls, pollVotes, dataOf, type PollData, type PollRow, type VoteRow } from "../storage/rows.ts";
import { isAnonymous, pollView, voteView } from "../view/polls.ts";
import { removeVotesOfUser } from "../storage/votes.ts";

interface VoteTarget {
  poll: PollRow;
  data: PollData;
  messageId: string;
}

/** The poll of the message in the path, checked to be open and votable for the caller (V-1). */
function requireVoteTarget(call: RouteCall): VoteTarget {
  const { row: message, permissions } = messageFor(call, call.path.message_id ?? "");
  const poll = polls.need(call.db, { id: call.path.poll_id ?? "" });
  requirePermission(permissions, "cast-vote", "vote");
  requireNotBanned(permissions, call.now());
  requireFeature(permissions, "polls", "polls");
  if (message.poll_id !== poll.id || message.type === "deleted")
    throw invalidField("poll_id", `is not the poll of message ${message.id}`);
  if (poll.closed) throw invalidField("poll_id", "is closed", "The poll is closed");
  return { poll, data: dataOf(poll), messageId: message.id };
}

function answer(
  call: RouteCall,
  me: UserRow,
  { poll, data }: VoteTarget,
  vote: VoteRow,
): Reply<"castPollVote"> {
  const context = viewContext(call.db, call.emit, call.now(), me.id);
  return { poll: pollView(context, poll), vote: voteView(context, vote, isAnonymous(data)) };
}

/** Emits the event of a vote; in anonymous polls it names neither the voter nor the acting user. */
function publishVote(
  call: RouteCall,
  type: string,
  { poll, data, messageId }: VoteTarget,
  vote: VoteRow,
  me: UserRow,
): void {
  const context = viewContext(call.db, call.emit, call.now());
  const anonymous = isAnonymous(data);
  publishPoll(call, type, poll, {
    ...(anonymous ? {} : { me }),
    extra: { poll_vote: voteView(context, vote, anonymous) },
    first: messageId,
  });
}

/** Reads a vote (V-2): one option of the poll, or an answer where answers are allowed. */
function readVote(call: RouteCall, data: PollData): { optionId: string | null; text: string | null } {
  const bodyCheck = new BodyReader(call.body);
  const { vote } = bodyCheck.read(pollBodies.castPollVote);
  const check = bodyCheck.inside("vote");
  const { option_id: optionId } = vote;
  const text = vote.answer_text || undefined;
  if ((optionId === undefined) === (text === undefined))
    check.fail("option_id", "or answer_text must be given, exactly one");
  else if (optionId !== undefined && !data.options.some(({ id }) => id === optionId))
    check.fail("option_id", `is no option of this poll: ${optionId}`);
  else if (text !== undefined && !data.allow_answers)
    check.fail("answer_text", "is not possible: this poll takes no answers");
  else if (text?.trim() === "") check.fail("answer_text", "must not be blank");
  bodyCheck.done();
  return { optionId: optionId ?? null, text: text ?? null };
}

/** Deletes the votes that the new one replaces. Returns the name of the event. */
function removeReplaced(
  call: RouteCall,
  me: UserRow,
  { poll, data }: VoteTarget,
  optionId: string | null,
  voteCount: number,
): string {
  const mine = { poll_id: poll.id, user_id: me.id };
  if (optionId === null) {
    // At most one answer per user (V-6).
    return pollVotes.remove(call.db, { ...mine, option_id: null }) ? "poll.vote_changed" : "poll.vote_casted";
  }
  if (data.enforce_unique_vote) {
    pollVotes.remove(call.db, { ...mine, option_id: { not: null } });
    return "poll.vote_changed";
  }
  if (data.max_votes_allowed !== undefined && voteCount >= data.max_votes_allowed)
    throw invalidField("vote.option_id", "Max votes reached", "Max votes reached");
  return "poll.vote_casted";
}

export function castPollVote(call: RouteCall): Reply<"castPollVote"> {
  const { db } = call;
  const target = requireVoteTarget(call);
  const me = actor(call);
  const { poll, data } = target;
  const { optionId, text } = readVote(call, data);
  const options = pollVotes.list(db, { poll_id: poll.id, user_id: me.id, option_id: { not: null } });
  const existing = options.find((vote) => vote.option_id === optionId);
  // A repeated vote causes no event (V-4).
  if (existing) return answer(call, me, target, existing);
  const type = removeReplaced(call, me, target, optionId, options.length);
  const now = call.now();
  const vote: VoteRow = {
    id: call.uuid(),
    poll_id: poll.id,
    user_id: me.id,
    option_id: optionId,
    answer_text: text,
    created_at: now,
    updated_at: now,
  };
  pollVotes.insert(db, vote);
  publishVote(call, type, target, vote, me);
  return answer(call, me, target, vote);
}

/** Removes a vote; only the voter may (V-7). In an anonymous poll the event still does not name the voter. */
export function removePollVote(call: RouteCall): Reply<"removePollVote"> {
  const { db } = call;
  const target = requireVoteTarget(call);
  const me = actor(call, call.query);
  const id = call.path.vote_id ?? "";
  const vote = pollVotes.find(db, { id, poll_id: target.poll.id });
  if (!vote) throw ApiProblem.notFound(`Vote ${id.slice(0, 255)} does not exist`);
  if (vote.user_id !== me.id) throw ApiProblem.notAllowed("Only the voter may remove a vote");
  pollVotes.remove(db, { id });
  publishVote(call, "poll.vote_removed", target, vote, me);
  return answer(call, me, target, vote);
}

/** Polls of which one step removes the votes of an erased user. */
const POLLS_PER_STEP = 200;

/** Removes votes and answers of a user who is erased, with events without the answers' texts, and tells whether there may be more. */
export function eraseVotesOf(call: RouteCall, user: UserRow): boolean {
  const removed = removeVotesOfUser(call.db, user.id, POLLS_PER_STEP);
  for (const vote of removed) {
    const poll = polls.find(call.db, { id: vote.poll_id });
    if (!poll) continue;
    const target = { poll, data: dataOf(poll), messageId: "" };
    const text = vote.answer_text === null ? null : "";
    publishVote(call, "poll.vote_removed", target, { ...vote, answer_text: text }, user);
  }
  return removed.length >= POLLS_PER_STEP;
}
