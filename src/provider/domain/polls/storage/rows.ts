/** The tables of polls and votes. */
import type { PollOption } from "../../../../wire/entities/poll.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

export const polls = table(
  "polls",
  {
    id: TEXT.key,
    created_by: TEXT,
    created_at: INTEGER,
    updated_at: INTEGER,
    closed: INTEGER.default(0),
    data: TEXT,
  },
  { noun: "Poll", rowid: true },
);
export type PollRow = RowOf<typeof polls>;

/** Votes and answers; an answer is a vote without an option. */
export const pollVotes = table(
  "poll_votes",
  {
    id: TEXT.key,
    poll_id: TEXT,
    user_id: TEXT,
    option_id: TEXT.null,
    answer_text: TEXT.null,
    created_at: INTEGER,
    updated_at: INTEGER,
  },
  {
    rowid: true,
    indexes: {
      poll_votes_by_poll: "(poll_id, created_at, id)",
      poll_votes_one: "UNIQUE (poll_id, user_id, option_id) WHERE option_id IS NOT NULL",
    },
  },
);
export type VoteRow = RowOf<typeof pollVotes>;

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

export const dataOf = (row: PollRow): PollData => JSON.parse(row.data) as PollData;

export const noPoll = (id: string): ApiProblem =>
  ApiProblem.notFound(`Poll ${id.slice(0, 255)} does not exist`);

/** SQL: every message with the poll of this id is deleted; a poll without a message waits for one. */
export const HIDDEN_POLL = (id: string): string =>
  `EXISTS (SELECT 1 FROM message_rows WHERE poll_id = ${id})
   AND NOT EXISTS (SELECT 1 FROM messages WHERE poll_id = ${id} AND type <> 'deleted')`;

export const isHiddenPoll = (db: Database, id: string): boolean =>
  db.has(`SELECT 1 WHERE ${HIDDEN_POLL("?1")}`, id);

/** Stores a changed poll and deletes the votes of removed options (V-10). */
export function storePoll(db: Database, row: PollRow, data: PollData, closed: boolean, now: number): PollRow {
  db.run(
    `DELETE FROM poll_votes WHERE poll_id = :id AND option_id IS NOT NULL AND option_id NOT IN
     (SELECT value FROM json_each(:options))`,
    { id: row.id, options: JSON.stringify(data.options.map(({ id }) => id)) },
  );
  return polls.update(db, row, { data: JSON.stringify(data), closed: Number(closed), updated_at: now });
}
