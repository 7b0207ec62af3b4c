/** Statements that erase a user: own rows are deleted, kept ones get another owner. */
import type { Database } from "../../../base/database.ts";

/** Stored as a deleted user, so nothing lists it and nobody can be it. */
export function insertDeletedUser(db: Database, id: string, now: number): void {
  db.run(
    `INSERT INTO users (id, role, created_at, updated_at, deleted_at) VALUES (?1, 'user', ?2, ?2, ?2)
     ON CONFLICT DO NOTHING`,
    id,
    now,
  );
}

const OWN: readonly [table: string, column: string][] = [
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
];

/** Channels go to `ownerId`, messages and polls to who stands for the user; who was muted or blocked keeps no trace of it. */
export function removeUser(db: Database, id: string, deletedUser: string, ownerId: string): void {
  for (const [table, column] of OWN) db.run(`DELETE FROM ${table} WHERE ${column} = ?`, id);
  db.run("UPDATE channels SET created_by = ? WHERE created_by = ?", ownerId, id);
  db.run("UPDATE channels SET truncated_by = ? WHERE truncated_by = ?", deletedUser, id);
  db.run("UPDATE message_rows SET user_id = ? WHERE user_id = ?", deletedUser, id);
  db.run(
    "UPDATE message_rows SET pinned_by = ? WHERE pinned_at IS NOT NULL AND pinned_by = ?",
    deletedUser,
    id,
  );
  db.run("UPDATE polls SET created_by = ? WHERE created_by = ?", deletedUser, id);
  db.run("DELETE FROM users WHERE id = ?", id);
}

/** Forgets the files that the user uploaded; answers their stored paths. */
export function removeUploads(db: Database, userId: string): string[] {
  return db.column<string>("DELETE FROM upload WHERE user_id = ? RETURNING path", userId);
}
