/** Writes the app's roles, permissions, grants and commands; `accessOf` reads them. */
import type { CommandInfo } from "../../../../wire/entities/channel.ts";
import type { Database } from "../../../base/database.ts";
import type { Grants } from "./grants.ts";

type Command = Pick<CommandInfo, "name" | "description" | "args" | "set">;

export function insertCommand(db: Database, command: Command, now: number): void {
  db.run(
    `INSERT INTO commands (name, description, args, set_name, created_at, updated_at)
     VALUES (:name, :description, :args, :set, :now, :now)`,
    { ...command, now },
  );
}

export function storeCommand(db: Database, command: Command, now: number): void {
  db.run(
    `UPDATE commands SET description = :description, args = :args, set_name = :set, updated_at = :now
     WHERE name = :name`,
    { ...command, now },
  );
}

export function removeCommand(db: Database, name: string): void {
  db.run("DELETE FROM commands WHERE name = ?", name);
}

/** Replaces the permissions of each role in `grants`; an empty list leaves the role with none. */
export function writeGrants(db: Database, scope: string, grants: Grants): void {
  for (const [role, names] of Object.entries(grants))
    db.run(
      "INSERT INTO grants (scope, role, permissions) VALUES (?, ?, ?) ON CONFLICT (scope, role) DO UPDATE SET permissions = excluded.permissions",
      scope,
      role,
      JSON.stringify(names),
    );
}

/** Returns the scope to its built-in grants. */
export function resetGrants(db: Database, scope: string): void {
  db.run("DELETE FROM grants WHERE scope = ?", scope);
}

/** `data`: JSON. */
interface PermissionRow {
  id: string;
  data: string;
}

export function findPermission(db: Database, id: string): PermissionRow | undefined {
  return db.get<PermissionRow>("SELECT id, data FROM permissions WHERE id = ?", id);
}

export function permissionRows(db: Database): PermissionRow[] {
  return db.all<PermissionRow>("SELECT id, data FROM permissions ORDER BY id");
}

export function insertPermission(db: Database, { id, data }: PermissionRow, now: number): void {
  db.run("INSERT INTO permissions (id, data, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)", id, data, now);
}

export function storePermission(db: Database, { id, data }: PermissionRow, now: number): void {
  db.run("UPDATE permissions SET data = ?, updated_at = ? WHERE id = ?", data, now, id);
}

export function removePermission(db: Database, id: string): void {
  db.run("DELETE FROM permissions WHERE id = ?", id);
}

export function insertRole(db: Database, name: string, now: number): void {
  db.run("INSERT INTO roles (name, created_at, updated_at) VALUES (?1, ?2, ?2)", name, now);
}

/** Whether a member, or a user who is not deleted, has the role. */
export function isRoleInUse(db: Database, name: string): boolean {
  return (
    db.has("SELECT 1 FROM users WHERE role = ? AND deleted_at IS NULL LIMIT 1", name) ||
    db.has("SELECT 1 FROM members WHERE channel_role = ? LIMIT 1", name)
  );
}

/** Also removes its grants. */
export function removeRole(db: Database, name: string): void {
  db.run("DELETE FROM grants WHERE role = ?", name);
  db.run("DELETE FROM roles WHERE name = ?", name);
}
