/** Stored votes and answers; an answer is a vote without an option. */
import type { Database } from "../../../base/database.ts";
import type { VoteRow } from "./rows.ts";

const BY_USER = "poll_id = ? AND user_id = ?";
const NEWEST = "ORDER BY created_at DESC, id DESC";

export function findVote(db: Database, pollId: string, id: string): VoteRow | undefined {
  return db.get<VoteRow>("SELECT * FROM poll_votes WHERE id = ? AND poll_id = ?", id, pollId);
}

/** A user's votes and answers, newest first. */
export function votesOfUser(db: Database, pollId: string, userId: string): VoteRow[] {
  return db.all<VoteRow>(`SELECT * FROM poll_votes WHERE ${BY_USER} ${NEWEST}`, pollId, userId);
}

export function optionVotesOfUser(db: Database, pollId: string, userId: string): VoteRow[] {
  return db.all<VoteRow>(
    `SELECT * FROM poll_votes WHERE ${BY_USER} AND option_id IS NOT NULL`,
    pollId,
    userId,
  );
}

export function latestVotes(db: Database, pollId: string, optionId: string, limit: number): VoteRow[] {
  return db.all<VoteRow>(
    `SELECT * FROM poll_votes WHERE poll_id = ? AND option_id = ? ${NEWEST} LIMIT ?`,
    pollId,
    optionId,
    limit,
  );
}

export function latestAnswers(db: Database, pollId: string, limit: number): VoteRow[] {
  return db.all<VoteRow>(
    `SELECT * FROM poll_votes WHERE poll_id = ? AND option_id IS NULL ${NEWEST} LIMIT ?`,
    pollId,
    limit,
  );
}

/** Number of votes by option; the number of answers under null. */
export function voteCounts(db: Database, pollId: string): { option_id: string | null; n: number }[] {
  return db.all(
    "SELECT option_id, count(*) AS n FROM poll_votes WHERE poll_id = ? GROUP BY option_id",
    pollId,
  );
}

export function insertVote(db: Database, vote: VoteRow): void {
  db.run(
    `INSERT INTO poll_votes (id, poll_id, user_id, option_id, answer_text, created_at, updated_at)
     VALUES (:id, :poll_id, :user_id, :option_id, :answer_text, :created_at, :updated_at)`,
    vote,
  );
}

export function removeVote(db: Database, id: string): void {
  db.run("DELETE FROM poll_votes WHERE id = ?", id);
}

/** False when the user had not answered. */
export function removeAnswer(db: Database, pollId: string, userId: string): boolean {
  return db.run(`DELETE FROM poll_votes WHERE ${BY_USER} AND option_id IS NULL`, pollId, userId).changes > 0;
}

export function removeOptionVotes(db: Database, pollId: string, userId: string): void {
  db.run(`DELETE FROM poll_votes WHERE ${BY_USER} AND option_id IS NOT NULL`, pollId, userId);
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
