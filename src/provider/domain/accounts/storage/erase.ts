/** Statements that erase a user. */
import type { Database } from "../../../base/database.ts";
import { queueErasure } from "../../../store/erasures.ts";

/** Stored as a deleted user, so no list shows it and nobody can sign in as it. */
export function insertPlaceholderUser(db: Database, id: string, now: number): void {
  db.run(
    `INSERT INTO users (id, role, created_at, updated_at, deleted_at) VALUES (?1, 'user', ?2, ?2, ?2)
     ON CONFLICT DO NOTHING`,
    id,
    now,
  );
}

/** Tables whose rows are deleted with the user that this column names. */
const OWNED_TABLES: readonly [table: string, column: string][] = [
  ["members", "user_id"],
  ["reads", "user_id"],
  ["threads", "user_id"],
  ["channel_mutes", "user_id"],
  ["deleted_for_me", "user_id"],
  ["poll_votes", "user_id"],
  ["locations", "user_id"],
  ["user_mutes", "user_id"],
  ["user_mutes", "target_id"],
  ["blocks", "user_id"],
  ["blocks", "blocked_id"],
  ["devices", "user_id"],
  ["channel_push", "user_id"],
  ["drafts", "user_id"],
  ["reminders", "user_id"],
  ["pending_messages", "user_id"],
  ["previews", "user_id"],
  ["flags", "user_id"],
];

/** Channels go to `ownerId`, messages and polls to the placeholder. */
export function removeUser(db: Database, id: string, placeholderId: string, ownerId: string): void {
  for (const [table, column] of OWNED_TABLES) db.run(`DELETE FROM ${table} WHERE ${column} = ?`, id);
  db.run("UPDATE channels SET created_by = ? WHERE created_by = ?", ownerId, id);
  db.run("UPDATE channels SET truncated_by = ? WHERE truncated_by = ?", placeholderId, id);
  db.run("UPDATE message_rows SET user_id = ? WHERE user_id = ?", placeholderId, id);
  db.run(
    "UPDATE message_rows SET pinned_by = ? WHERE pinned_at IS NOT NULL AND pinned_by = ?",
    placeholderId,
    id,
  );
  db.run("UPDATE polls SET created_by = ? WHERE created_by = ?", placeholderId, id);
  db.run("DELETE FROM users WHERE id = ?", id);
  queueErasure(db, "user", id);
}

/** Removes the rows of the user's uploads and returns the stored paths of the files. */
export function removeUploads(db: Database, userId: string): string[] {
  return db.column<string>("DELETE FROM upload WHERE user_id = ? RETURNING path", userId);
}
