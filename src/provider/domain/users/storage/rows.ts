/** Stored users. */
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { queueErasure } from "../../../store/erasures.ts";

export interface UserRow {
  id: string;
  name: string | null;
  role: string;
  teams: string;
  created_at: number;
  updated_at: number;
  last_active: number | null;
  deleted_at: number | null;
  deactivated_at: number | null;
  banned: number;
  invisible: number;
  privacy: string;
  data: string;
  teams_role: string;
  ban_expires: number | null;
  shadow_banned: number;
  bypass_moderation: number;
  revoked_before: number | null;
  push: string;
  name_key: string | null;
  response_count: number;
  response_seconds: number;
}

export function findUser(db: Database, id: string): UserRow | undefined {
  return db.get<UserRow>("SELECT * FROM users WHERE id = ?", id);
}

export const noUser = (id: string): ApiProblem => ApiProblem.notFound(`User ${id} does not exist`);

/** The row of a user who is not deleted. Throws code 16. */
export function undeletedUser(row: UserRow | undefined, id: string): UserRow {
  if (!row || row.deleted_at !== null) throw noUser(id);
  return row;
}

export const userRow = (db: Database, id: string): UserRow => undeletedUser(findUser(db, id), id);

/** The ids of existing users that are not deleted. */
export function undeletedIds(db: Database, ids: readonly string[]): string[] {
  return db.column<string>(
    "SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL",
    JSON.stringify(ids),
  );
}

/** The ids of existing users, including deleted ones. */
export function knownIds(db: Database, ids: readonly string[]): string[] {
  return db.column<string>(
    "SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
}

/** The user, not deleted, with this id ignoring case. */
export function findUserInAnyCase(db: Database, id: string): UserRow | undefined {
  return db.get<UserRow>(
    "SELECT * FROM users WHERE id = ? COLLATE NOCASE AND deleted_at IS NULL ORDER BY id LIMIT 1",
    id,
  );
}

/** The first user, not deleted, with this name ignoring case. */
export function findUserByName(db: Database, name: string): UserRow | undefined {
  return db.get<UserRow>(
    "SELECT * FROM users WHERE name = ? COLLATE NOCASE AND deleted_at IS NULL ORDER BY id LIMIT 1",
    name,
  );
}

/** Members of a channel who are not deleted and have a name, oldest membership first. */
export function membersWithNames(db: Database, cid: string): (UserRow & { name: string })[] {
  return db.all(
    `SELECT u.* FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.cid = ? AND u.deleted_at IS NULL AND u.name IS NOT NULL ORDER BY m.created_at, m.user_id`,
    cid,
  );
}

/** `push`: JSON of the push preferences. */
export function setPush(db: Database, id: string, push: string): void {
  db.run("UPDATE users SET push = ? WHERE id = ?", push, id);
}

/** The columns that are written; `name_key` is the normalized name for comparisons. */
type WrittenUser = Pick<
  UserRow,
  | "id"
  | "name"
  | "name_key"
  | "role"
  | "teams"
  | "teams_role"
  | "revoked_before"
  | "invisible"
  | "privacy"
  | "data"
  | "updated_at"
>;

/** An erased id that comes back with a newer token keeps refusing the older ones. */
export function insertUser(db: Database, user: WrittenUser): void {
  db.run(
    `INSERT INTO users (id, name, name_key, role, teams, teams_role, revoked_before, created_at, updated_at,
     invisible, privacy, data) VALUES (:id, :name, :name_key, :role, :teams, :teams_role,
     coalesce(:revoked_before, (SELECT at FROM erased_users WHERE id = :id)), :updated_at,
     :updated_at, :invisible, :privacy, :data)`,
    user,
  );
}

/** When a user with this id was erased for good and no account made since, whole microseconds. */
export function erasedAt(db: Database, id: string): number | undefined {
  return db.value<number>("SELECT at FROM erased_users WHERE id = ?", id);
}

export function reserveErasedId(db: Database, id: string, now: number): void {
  db.run("INSERT OR REPLACE INTO erased_users (id, at) VALUES (?, ?)", id, now);
}

/** A server makes the account again: from then on the tokens issued before the erasure are valid again. */
export function acceptOldTokens(db: Database, id: string): void {
  db.run("DELETE FROM erased_users WHERE id = ?", id);
}

export function storeUser(db: Database, user: WrittenUser): void {
  db.run(
    `UPDATE users SET name = :name, name_key = :name_key, role = :role, teams = :teams, teams_role = :teams_role,
     revoked_before = :revoked_before, invisible = :invisible, privacy = :privacy, data = :data,
     updated_at = :updated_at WHERE id = :id`,
    user,
  );
}

export function setLastActive(db: Database, id: string, now: number): void {
  db.run("UPDATE users SET last_active = ? WHERE id = ?", now, id);
}

/** `deactivatedAt` is null to reactivate the user. */
export function setDeactivated(db: Database, id: string, deactivatedAt: number | null, now: number): void {
  db.run("UPDATE users SET deactivated_at = ?, updated_at = ? WHERE id = ?", deactivatedAt, now, id);
}

/** `deletedAt` is null to restore the user. */
export function setDeleted(db: Database, id: string, deletedAt: number | null, now: number): void {
  db.run("UPDATE users SET deleted_at = ?, updated_at = ? WHERE id = ?", deletedAt, now, id);
}

export function pruneUser(db: Database, id: string): void {
  db.run(
    "UPDATE users SET name = NULL, name_key = NULL, data = '{}', teams_role = '{}', push = '{}' WHERE id = ?",
    id,
  );
  queueErasure(db, "user", id);
}

/** Users whose names were stored before there were keys. */
export function usersWithoutKey(db: Database): { id: string; name: string }[] {
  return db.all("SELECT id, name FROM users WHERE name_key IS NULL AND name IS NOT NULL");
}

export function setNameKey(db: Database, id: string, key: string | null): void {
  db.run("UPDATE users SET name_key = ? WHERE id = ?", key, id);
}

/** The teams of each other user, not deleted, with this name. */
export function teamsOfNamesakes(db: Database, key: string, id: string): string[][] {
  return db
    .column<string>("SELECT teams FROM users WHERE name_key = ? AND id <> ? AND deleted_at IS NULL", key, id)
    .map((teams) => JSON.parse(teams) as string[]);
}

/** The users with these ids, including deleted ones. */
export function usersById(db: Database, ids: readonly string[]): UserRow[] {
  return ids.length === 1
    ? db.all<UserRow>("SELECT * FROM users WHERE id = ?", ids[0]!)
    : db.all<UserRow>(
        "SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(ids),
      );
}
