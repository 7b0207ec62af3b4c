/** Statements over flags: at most one by each user on each message or user. */
import { withinBudget } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import { EQUAL, flagField, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type Match, type OffsetListDefinition } from "../../query/listing.ts";

export interface FlagRow {
  seq: number;
  /** `""`: flagged by a blocklist. */
  user_id: string;
  /** `""`: the user was flagged, not a message. */
  message_id: string;
  target_id: string;
  cid: string | null;
  reason: string | null;
  custom: string | null;
  created_at: number;
  updated_at: number;
  reviewed_at: number | null;
  reviewed_by: string | null;
  review_result: string | null;
}

/** Inserts a flag, or updates reason and custom data of the user's earlier flag. */
export function storeFlag(
  db: Database,
  flag: Pick<FlagRow, "user_id" | "message_id" | "target_id" | "cid" | "reason" | "custom" | "created_at">,
): FlagRow {
  return db.get<FlagRow>(
    `INSERT INTO flags (user_id, message_id, target_id, cid, reason, custom, created_at, updated_at)
     VALUES (:user_id, :message_id, :target_id, :cid, :reason, :custom, :created_at, :created_at)
     ON CONFLICT DO UPDATE SET reason = excluded.reason, custom = coalesce(excluded.custom, custom),
       updated_at = excluded.updated_at RETURNING *`,
    flag,
  )!;
}

/** The removed flag; undefined when there was none. */
export function removeFlag(
  db: Database,
  userId: string,
  messageId: string,
  targetId: string,
): FlagRow | undefined {
  return db.get<FlagRow>(
    "DELETE FROM flags WHERE user_id = ? AND message_id = ? AND target_id = ? RETURNING *",
    userId,
    messageId,
    targetId,
  );
}

const count = (db: Database, where: string, id: string): number =>
  db.value<number>(`SELECT count(*) FROM flags WHERE ${where}`, id)!;

export const countFlagsOfMessage = (db: Database, messageId: string): number =>
  count(db, "message_id = ?", messageId);

export const countFlagsOfUser = (db: Database, userId: string): number =>
  count(db, "target_id = ? AND message_id = ''", userId);

export function flagCounts(db: Database, messageIds: readonly string[]): Map<string, number> {
  const rows = db.all<{ message_id: string; n: number }>(
    `SELECT message_id, count(*) AS n FROM flags WHERE message_id <> ''
     AND message_id IN (SELECT value FROM json_each(?)) GROUP BY message_id`,
    JSON.stringify(messageIds),
  );
  return new Map(rows.map(({ message_id, n }) => [message_id, n]));
}

/** Stores a review in each flag of its message. */
export function reviewFlags(
  db: Database,
  review: Pick<FlagRow, "message_id" | "reviewed_at" | "reviewed_by" | "review_result">,
): void {
  db.run(
    `UPDATE flags SET reviewed_at = :reviewed_at, reviewed_by = :reviewed_by, review_result = :review_result
     WHERE message_id = :message_id AND message_id <> ''`,
    review,
  );
}

export const FLAG_LIST: OffsetListDefinition = {
  fields: ownEntry({
    reason: textField("f.reason", [...EQUAL, "$exists", "$autocomplete", "$q"]),
    channel_cid: textField("f.cid"),
    user_id: textField("f.user_id"),
    is_reviewed: flagField({ text: "f.reviewed_at IS NOT NULL", values: [] }),
    created_at: timeField("f.created_at"),
  }),
  sorts: ownEntry({ created_at: "f.created_at", updated_at: "f.updated_at" }),
  fallback: "f.created_at DESC",
  tie: "f.seq DESC",
};

/** Flags on messages; `deleted`: also on deleted messages. */
export function messageFlagsPage(
  db: Database,
  deleted: boolean,
  { where, order, limit, offset }: Match & { limit: number; offset: number },
): FlagRow[] {
  return db.raw
    .prepare(
      `SELECT f.* FROM flags f JOIN messages m ON m.id = f.message_id WHERE f.message_id <> ''
       AND (? OR m.type <> 'deleted') AND ${withinBudget("f.created_at")} AND (${where.text}) ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(Number(deleted), ...where.values, ...order.values, limit, offset) as unknown as FlagRow[];
}
