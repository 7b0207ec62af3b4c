/** Writes the app's grants, and finds who has a role; `accessOf` reads them. */
import type { Database } from "../../../base/database.ts";
import { storedGrants } from "../../admin/storage/schema.ts";
import type { Grants } from "./grants.ts";

/** Replaces the permissions of each role in `grants`; an empty list leaves the role with none. */
export function writeGrants(db: Database, scope: string, grants: Grants): void {
  for (const [role, names] of Object.entries(grants))
    storedGrants.put(db, { scope, role, permissions: JSON.stringify(names) });
}

/** Whether a member, or a user who is not deleted, has the role. */
export function isRoleInUse(db: Database, name: string): boolean {
  return (
    db.has("SELECT 1 FROM users WHERE role = ? AND deleted_at IS NULL LIMIT 1", name) ||
    db.has("SELECT 1 FROM members WHERE channel_role = ? LIMIT 1", name)
  );
}
