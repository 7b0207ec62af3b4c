/** Routes of built-in and custom roles (specification/admin.md §4). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import type { Role } from "../../../../wire/entities/role.ts";
import { CUSTOM_ROLES_PER_APP } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import { BUILT_IN_SINCE } from "../../access/storage/channel-types.ts";
import { APP_ROLES, APP_SCOPE, CHANNEL_ROLES } from "../../access/storage/grants.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { scopesOf } from "./grants.ts";
import { NAME, NAME_FORM } from "../../../../wire/ids.ts";
import { isRoleInUse } from "../../access/storage/rights.ts";
import { customRoles, storedGrants } from "../storage/schema.ts";

function roleViews(db: Database): Role[] {
  const access = accessOf(db);
  const scopes = [APP_SCOPE, ...access.types.keys()];
  const builtIn = [...APP_ROLES, ...CHANNEL_ROLES].map((name) => ({
    name,
    custom: false,
    created_at: BUILT_IN_SINCE,
    updated_at: BUILT_IN_SINCE,
  }));
  return [...builtIn, ...access.customRoles.map((role) => ({ ...role, custom: true }))].map((role) => {
    const found = scopesOf(db, role.name, scopes);
    return {
      name: role.name,
      custom: role.custom,
      scopes: found,
      scoped: found,
      created_at: role.created_at,
      updated_at: role.updated_at,
    };
  });
}

export function listRoles({ db }: RouteCall): Reply<"listRoles"> {
  return { roles: roleViews(db) };
}

export function createRole(call: RouteCall): Reply<"createRole"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const { name } = check.read(adminBodies.createRole);
  const access = accessOf(db);
  if (name && !NAME.test(name)) check.fail("name", NAME_FORM);
  else if (access.appRoles.has(name) || access.channelRoles.has(name))
    check.fail("name", "is taken by another role");
  check.done();
  if (access.customRoles.length >= CUSTOM_ROLES_PER_APP)
    throw invalidField(
      "name",
      `is one too many: an app has at most ${CUSTOM_ROLES_PER_APP} roles of its own`,
    );
  const now = call.now();
  customRoles.insert(db, { name, created_at: now, updated_at: now });
  return { role: roleViews(db).find((role) => role.name === name)! };
}

export function deleteRole({ db, path }: RouteCall): Reply<"deleteRole"> {
  const name = path.name ?? "";
  const role = roleViews(db).find((view) => view.name === name);
  if (!role) throw ApiProblem.notFound(`Role ${name.slice(0, 64)} does not exist`);
  if (!role.custom) throw invalidField("name", "is a built-in role and stays");
  if (role.scopes.length > 0)
    throw invalidField("name", `still has grants in ${role.scopes.join(", ")}; take them away first`);
  if (isRoleInUse(db, name))
    throw invalidField("name", "is still held by users; give them another role first");
  storedGrants.remove(db, { role: name });
  customRoles.remove(db, { name });
  return {};
}
