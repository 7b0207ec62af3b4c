/** Messages and reactions of one user in all channels. */
import type { Database } from "../../../base/database.ts";
import type { ReactionRow } from "./reactions.ts";
import type { MessageRow } from "./rows.ts";

/** Messages that were soft-deleted at exactly this time, oldest first. */
export function deletedMessageIds(db: Database, userId: string, deletedAt: number): string[] {
  return db.column<string>(
    "SELECT id FROM messages WHERE user_id = ? AND deleted_at = ? AND type = 'deleted' ORDER BY created_at",
    userId,
    deletedAt,
  );
}

/** Oldest first. */
export function messagesOfUser(db: Database, userId: string, limit: number): MessageRow[] {
  return db.all<MessageRow>(
    "SELECT * FROM messages WHERE user_id = ? ORDER BY created_at LIMIT ?",
    userId,
    limit,
  );
}

/** Oldest first. */
export function reactionsOfUser(db: Database, userId: string, limit: number): ReactionRow[] {
  return db.all<ReactionRow>(
    "SELECT * FROM reactions WHERE user_id = ? ORDER BY created_at LIMIT ?",
    userId,
    limit,
  );
}
