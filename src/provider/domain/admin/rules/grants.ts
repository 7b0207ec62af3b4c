/** Reads the `grants` of requests, and shows the grants of scopes and roles. */
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import { BUILT_IN_PERMISSIONS, type Grants } from "../../access/storage/grants.ts";
import type { BodyReader } from "../../validation/check.ts";
import { customPermissions } from "../storage/schema.ts";

const PERMISSIONS_PER_ROLE = 500;

/** Whether a permission with this id exists, built in or custom. */
const isPermission = (db: Database, id: string): boolean =>
  BUILT_IN_PERMISSIONS.has(id) || customPermissions.has(db, { id });

export const grantsView = (list: Grants): Record<string, string[]> =>
  Object.fromEntries(Object.entries(list).map(([role, names]) => [role, [...names]]));

/**
 * The `grants` of a request: permission ids by role. Unknown roles and permissions fail with code 4. `modifiers` allows a
 * leading `!`, which revokes.
 */
export function readGrants(db: Database, check: BodyReader, modifiers = false): Grants | undefined {
  const source = check.object("grants");
  if (!source) return undefined;
  const access = accessOf(db);
  const inner = check.inside("grants");
  const grants: Record<string, string[]> = {};
  for (const role of Object.keys(source)) {
    if (!access.appRoles.has(role) && !access.channelRoles.has(role))
      inner.fail(role, "is not a role of this app");
    if (source[role] === null) inner.fail(role, "must be a list");
    const names = inner.texts(role, PERMISSIONS_PER_ROLE) ?? [];
    const unknown = names.find((name) => !isPermission(db, modifiers ? name.replace(/^!/, "") : name));
    if (unknown !== undefined) inner.fail(role, `names ${unknown.slice(0, 80)}, which is no permission`);
    grants[role] = [...new Set(names)];
  }
  return grants;
}

/** Those of `scopes` in which the role has a permission. */
export function scopesOf(db: Database, role: string, scopes: Iterable<string>): string[] {
  const access = accessOf(db);
  const granted = (list: Grants): boolean => Object.hasOwn(list, role) && list[role]!.length > 0;
  return [...scopes].filter((scope) => granted(access.grantsOf(scope).list));
}
