/** Stored reactions, and the fields of a message derived from them. */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { Reaction, ReactionGroup } from "../../../../wire/entities/message.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import type { Fields } from "../../validation/check.ts";
import type { StoredReactions } from "./rows.ts";
import { ONE_OF, DATE_RANGE, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";

export const reactions = table(
  "reactions",
  {
    message_id: TEXT.key,
    user_id: TEXT.key,
    type: TEXT.key,
    score: INTEGER,
    created_at: INTEGER,
    updated_at: INTEGER,
    data: TEXT.default("{}"),
  },
  { indexes: { reactions_by_age: "(message_id, created_at, user_id, type)" } },
);
export type ReactionRow = RowOf<typeof reactions>;

/** A reaction without its user, as it is stored and exported. */
export function storedReaction(row: ReactionRow): Omit<Reaction, "user"> {
  return {
    ...(JSON.parse(row.data) as Fields),
    type: row.type,
    user_id: row.user_id,
    message_id: row.message_id,
    score: row.score,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

/** How many of the latest reactions are stored on the message. */
const LATEST = 10;

/** Recomputes the groups and latest reactions of a message; a type without reactions disappears. */
export function updateReactionFields(db: Database, messageId: string): void {
  const fields = reactionFields(db, messageId);
  db.run(
    "UPDATE message_rows SET reactions = ? WHERE id = ?",
    fields ? JSON.stringify(fields) : null,
    messageId,
  );
}

function reactionFields(db: Database, messageId: string): StoredReactions | undefined {
  const groups = db.all<{ type: string; count: number; sum: number; first: number; last: number }>(
    `SELECT type, count(*) AS count, sum(score) AS sum, min(created_at) AS first, max(created_at) AS last
     FROM reactions WHERE message_id = ? GROUP BY type ORDER BY type`,
    messageId,
  );
  if (groups.length === 0) return undefined;
  return {
    groups: Object.fromEntries(
      groups.map(({ type, count, sum, first, last }): [string, ReactionGroup] => [
        type,
        {
          count,
          sum_scores: sum,
          first_reaction_at: timeFromMicros(first),
          last_reaction_at: timeFromMicros(last),
        },
      ]),
    ),
    latest: reactionsOn(db, messageId, LATEST).map(storedReaction),
  };
}

/** Newest first. */
export const reactionsOn = (db: Database, messageId: string, limit: number, offset = 0): ReactionRow[] =>
  reactions.list(db, { message_id: messageId }, { by: ["-created_at", "-user_id", "-type"], limit, offset });

/** One user's reactions on these messages, newest first. */
export function ownReactionsOn(db: Database, userId: string, messageIds: readonly string[]): ReactionRow[] {
  // CROSS JOIN makes the planner start at the messages: the user may have very many reactions.
  return db.all<ReactionRow>(
    `SELECT r.* FROM json_each(?) k CROSS JOIN reactions r ON r.message_id = k.value AND r.user_id = ?
     ORDER BY r.created_at DESC, r.type`,
    JSON.stringify(messageIds),
    userId,
  );
}

/**
 * Removes all reactions of a user to at most `limit` messages, and returns them; the derived fields of the messages stay as they were.
 * Whole messages, so that what the other reactions said does not stand in an event.
 */
export const removeReactionsOfUser = (db: Database, userId: string, limit: number): ReactionRow[] =>
  db.all<ReactionRow>(
    `DELETE FROM reactions WHERE user_id = ?1
       AND message_id IN (SELECT DISTINCT message_id FROM reactions WHERE user_id = ?1 LIMIT ?2)
     RETURNING message_id, user_id, type, score, created_at, updated_at, data`,
    userId,
    limit,
  );

/** Whether a user has more than `limit` reactions. */
export const hasMoreReactions = (db: Database, userId: string, limit: number): boolean =>
  db.value("SELECT 1 FROM reactions WHERE user_id = ? LIMIT 1 OFFSET ?", userId, limit) !== undefined;

export const REACTION_LIST: ListDefinition<ReactionRow> = {
  name: "reactions",
  from: "reactions r",
  columns: "r.*",
  of: "r.message_id = ?",
  fields: ownEntry({
    type: textField("r.type", ONE_OF),
    user_id: textField("r.user_id", ONE_OF),
    created_at: timeField("r.created_at", DATE_RANGE),
  }),
  orders: ownEntry({ created_at: "r.created_at" }),
  fallback: [{ expression: "r.created_at", direction: -1, notNull: true }],
  // A user has at most one reaction of each type, so the two together are unique.
  tie: { expression: "(r.user_id || '/' || r.type)", direction: -1, notNull: true },
  limit: messageBodies.queryReactions.limit,
};
