/** Users as they are stored. */
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";

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

export function userRow(db: Database, id: string): UserRow {
  const row = findUser(db, id);
  if (!row || row.deleted_at !== null) throw new ApiProblem(16, `User ${id} does not exist`);
  return row;
}

/** Those of the ids that are users, deleted ones too. */
export function knownIds(db: Database, ids: readonly string[]): string[] {
  return db
    .all<{ id: string }>(
      "SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    )
    .map(({ id }) => id);
}

/** The living user whose id is this one in any case of its letters. */
export function findUserInAnyCase(db: Database, id: string): UserRow | undefined {
  return db.get<UserRow>(
    "SELECT * FROM users WHERE id = ? COLLATE NOCASE AND deleted_at IS NULL ORDER BY id LIMIT 1",
    id,
  );
}

/** The first living user of this name, in any case of its letters. */
export function findUserByName(db: Database, name: string): UserRow | undefined {
  return db.get<UserRow>(
    "SELECT * FROM users WHERE name = ? COLLATE NOCASE AND deleted_at IS NULL ORDER BY id LIMIT 1",
    name,
  );
}

/** Living members of a channel who have a name, oldest membership first. */
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
