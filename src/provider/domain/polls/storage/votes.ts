/** Who voted for what, and votes that go. */
import type { Database } from "../../../base/database.ts";
import { pollVotes, type VoteRow } from "./rows.ts";

const NEWEST = ["-created_at", "-id"] as const;

/** A user's votes and answers, newest first. */
export const votesOfUser = (db: Database, pollId: string, userId: string): VoteRow[] =>
  pollVotes.list(db, { poll_id: pollId, user_id: userId }, { by: NEWEST });

/** The latest votes for an option; answers for null. */
export const latestVotes = (
  db: Database,
  pollId: string,
  optionId: string | null,
  limit: number,
): VoteRow[] => pollVotes.list(db, { poll_id: pollId, option_id: optionId }, { by: NEWEST, limit });

/** Number of votes by option; the number of answers under null. */
export function voteCounts(db: Database, pollId: string): { option_id: string | null; n: number }[] {
  return db.all(
    "SELECT option_id, count(*) AS n FROM poll_votes WHERE poll_id = :pollId GROUP BY option_id",
    { pollId },
  );
}

/**
 * SQL: removes the votes of a poll that no message has any more, since all messages with it share them (V-11), and the poll
 * unless a draft or a pending message names it.
 */
export const REMOVE_UNUSED_POLL = (id: string): string => {
  const unused = `NOT EXISTS (SELECT 1 FROM message_rows WHERE poll_id = ${id})`;
  return `DELETE FROM poll_votes WHERE poll_id = ${id} AND ${unused};
  DELETE FROM polls WHERE id = ${id} AND ${unused} AND NOT EXISTS (SELECT 1 FROM drafts WHERE poll_id = polls.id)
    AND NOT EXISTS (SELECT 1 FROM pending_messages WHERE instr(message, polls.id));`;
};

/** Removes all votes and answers of a user in at most `limit` polls, and returns them. */
export const removeVotesOfUser = (db: Database, userId: string, limit: number): VoteRow[] =>
  db.all<VoteRow>(
    `DELETE FROM poll_votes WHERE user_id = ?1
       AND poll_id IN (SELECT DISTINCT poll_id FROM poll_votes WHERE user_id = ?1 LIMIT ?2)
     RETURNING id, poll_id, user_id, option_id, answer_text, created_at, updated_at`,
    userId,
    limit,
  );
