/** Stored polls and votes. */
import type { PollOption } from "../../../../wire/entities/poll.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";

export interface PollRow {
  id: string;
  created_by: string;
  created_at: number;
  updated_at: number;
  closed: number;
  data: string;
}

/** The JSON of `data`, which also has custom keys. */
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
  /** Null for an answer. */
  option_id: string | null;
  answer_text: string | null;
  created_at: number;
  updated_at: number;
}

export const dataOf = (row: PollRow): PollData => JSON.parse(row.data) as PollData;

export function findPoll(db: Database, id: string): PollRow | undefined {
  return db.get<PollRow>("SELECT * FROM polls WHERE id = ?", id);
}

export const noPoll = (id: string): ApiProblem =>
  ApiProblem.notFound(`Poll ${id.slice(0, 255)} does not exist`);

export function pollRow(db: Database, id: string): PollRow {
  const row = findPoll(db, id);
  if (!row) throw noPoll(id);
  return row;
}

/** SQL: every message with the poll of this id is deleted; a poll without a message waits for one. */
export const HIDDEN_POLL = (id: string): string =>
  `EXISTS (SELECT 1 FROM message_rows WHERE poll_id = ${id})
   AND NOT EXISTS (SELECT 1 FROM messages WHERE poll_id = ${id} AND type <> 'deleted')`;

export const isHiddenPoll = (db: Database, id: string): boolean =>
  db.has(`SELECT 1 WHERE ${HIDDEN_POLL("?1")}`, id);

export function insertPoll(db: Database, row: PollRow): void {
  db.run(
    `INSERT INTO polls (id, created_by, created_at, updated_at, closed, data)
     VALUES (:id, :created_by, :created_at, :updated_at, :closed, :data)`,
    row,
  );
}

export function removePoll(db: Database, id: string): void {
  db.run("DELETE FROM poll_votes WHERE poll_id = ?", id);
  db.run("DELETE FROM polls WHERE id = ?", id);
}

/** Stores a changed poll and deletes the votes of removed options (V-10). */
export function storePoll(db: Database, row: PollRow, data: PollData, closed: boolean, now: number): PollRow {
  db.run(
    `DELETE FROM poll_votes WHERE poll_id = ? AND option_id IS NOT NULL AND option_id NOT IN
     (SELECT value FROM json_each(?))`,
    row.id,
    JSON.stringify(data.options.map(({ id }) => id)),
  );
  const text = JSON.stringify(data);
  db.run(
    "UPDATE polls SET data = ?, closed = ?, updated_at = ? WHERE id = ?",
    text,
    Number(closed),
    now,
    row.id,
  );
  return { ...row, data: text, closed: Number(closed), updated_at: now };
}
