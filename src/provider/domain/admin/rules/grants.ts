/** Grants and revokes permissions of a role in a scope. */
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import { BUILT_IN_PERMISSIONS, type Grants } from "../../access/storage/grants.ts";
import type { BodyReader } from "../../validation/check.ts";
import { findPermission } from "../../access/storage/rights.ts";

const LIST = 500;

/** Is there a permission of this name, built in or of the app. */
const isPermission = (db: Database, id: string): boolean =>
  BUILT_IN_PERMISSIONS.has(id) || findPermission(db, id) !== undefined;

/** Grants as they are answered. */
export const grantsView = (list: Grants): Record<string, string[]> =>
  Object.fromEntries(Object.entries(list).map(([role, names]) => [role, [...names]]));

/**
 * `grants` of a request: role → list of names. Unknown roles and permissions are refused (code 4). With `modifiers` a
 * leading `!` takes a name away.
 */
export function readGrants(db: Database, check: BodyReader, modifiers = false): Grants | undefined {
  const given = check.object("grants");
  if (!given) return undefined;
  const access = accessOf(db);
  const inner = check.inside("grants");
  const grants: Record<string, string[]> = {};
  for (const role of Object.keys(given)) {
    if (!access.appRoles.has(role) && !access.channelRoles.has(role))
      inner.fail(role, "is not a role of this app");
    if (given[role] === null) inner.fail(role, "must be a list");
    const names = inner.texts(role, LIST) ?? [];
    const unknown = names.find((name) => !isPermission(db, modifiers ? name.replace(/^!/, "") : name));
    if (unknown !== undefined) inner.fail(role, `names ${unknown.slice(0, 80)}, which is no permission`);
    grants[role] = [...new Set(names)];
  }
  return grants;
}

/** Scopes in which the role has at least one permission. */
export function scopesOf(db: Database, role: string, scopes: Iterable<string>): string[] {
  const access = accessOf(db);
  const granted = (list: Grants): boolean => Object.hasOwn(list, role) && list[role]!.length > 0;
  return [...scopes].filter((scope) => granted(access.grantsOf(scope).list));
}
