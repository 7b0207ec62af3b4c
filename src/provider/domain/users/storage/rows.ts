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
