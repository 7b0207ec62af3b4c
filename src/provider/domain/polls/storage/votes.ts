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
 * Removes the votes of polls whose last message is erased, since all messages with a poll share its votes (V-11), and the polls
 * that no draft and no pending message names.
 */
export function removePollsWith(db: Database, messageIds: readonly string[]): void {
  const polls = JSON.stringify(
    db.column<string>(
      `SELECT poll_id FROM json_each(?1) k CROSS JOIN message_rows m ON m.id = k.value WHERE m.poll_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM message_rows o WHERE o.poll_id = m.poll_id
       AND o.id NOT IN (SELECT value FROM json_each(?1)))`,
      JSON.stringify(messageIds),
    ),
  );
  if (polls === "[]") return;
  db.run("DELETE FROM poll_votes WHERE poll_id IN (SELECT value FROM json_each(?))", polls);
  db.run(
    `DELETE FROM polls WHERE id IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM drafts WHERE poll_id = polls.id)
     AND NOT EXISTS (SELECT 1 FROM pending_messages WHERE instr(message, polls.id))`,
    polls,
  );
}
