/** Routes of permissions: built-in ones, and the app's own, each of which equals a built-in one (specification/admin.md §4). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import type { Values } from "../../../../wire/entities/fields.ts";
import type { Permission } from "../../../../wire/entities/role.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf, baseOfAction } from "../../access/storage/access.ts";
import { APP_SCOPE, BUILT_IN_PERMISSIONS, type BuiltInPermission } from "../../access/storage/grants.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import { BodyReader, jsonBytes, invalidField } from "../../validation/check.ts";
import { NAME, NAME_FORM } from "../../../../wire/ids.ts";
import { customPermissions } from "../storage/schema.ts";

/** `create-message` → `CreateMessage`. */
const actionOf = (base: string): string =>
  base.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const ACTIONS = new Map([...BUILT_IN_PERMISSIONS.values()].map(({ base, level }) => [actionOf(base), level]));

/** What an `-owner` permission requires the caller to own; for actions not listed, the channel (specification/wire.md §13.13). */
const OWNED_RESOURCES = new Map([
  ["update-message", "message"],
  ["delete-message", "message"],
  ["delete-attachment", "attachment"],
  ["delete-reaction", "reaction"],
  ["update-user", "user"],
  ["update-poll", "poll"],
  ["close-poll", "poll"],
  ["delete-poll", "poll"],
]);
const ownedResource = (base: string): string => OWNED_RESOURCES.get(base) ?? "channel";

function builtInView({ id, base, owner, anyTeam, level }: BuiltInPermission): Permission {
  const words = base.replaceAll("-", " ");
  return {
    id,
    name: words[0]!.toUpperCase() + words.slice(1) + (owner ? " (own)" : "") + (anyTeam ? " (any team)" : ""),
    description: `Allows to ${words}${owner ? `, of one's own ${ownedResource(base)} only` : ""}${anyTeam ? ", in any team" : ""}`,
    action: actionOf(base),
    owner,
    same_team: !anyTeam,
    custom: false,
    level,
    tags: [],
    ...(owner ? { owner_resource: ownedResource(base) } : {}),
  };
}

type PermissionData = Omit<Permission, "id" | "custom" | "level" | "owner_resource">;

function customView(id: string, data: string): Permission {
  const stored = JSON.parse(data) as PermissionData;
  return {
    id,
    ...stored,
    custom: true,
    level: ACTIONS.get(stored.action) ?? "channel",
    ...(stored.owner ? { owner_resource: ownedResource(baseOfAction(stored.action)) } : {}),
  };
}

function permissionView(db: Database, id: string): Permission {
  const found = BUILT_IN_PERMISSIONS.get(id);
  if (found) return builtInView(found);
  const row = customPermissions.find(db, { id });
  if (!row) throw ApiProblem.notFound(`Permission ${id.slice(0, 64)} does not exist`);
  return customView(id, row.data);
}

/** Throws code 4 for a built-in permission. */
function requireCustom(db: Database, id: string): Permission {
  const view = permissionView(db, id);
  if (!view.custom) throw invalidField("id", "is a built-in permission and stays as it is");
  return view;
}

export function listPermissions({ db }: RouteCall): Reply<"listPermissions"> {
  return {
    permissions: [
      ...[...BUILT_IN_PERMISSIONS.values()].map(builtInView),
      ...customPermissions.list(db, {}, { by: ["id"] }).map(({ id, data }) => customView(id, data)),
    ],
  };
}

export function getPermission({ db, path }: RouteCall): Reply<"getPermission"> {
  return { permission: permissionView(db, path.id ?? "") };
}

type PermissionChanges = Values<typeof adminBodies.updatePermission>;

/** The data of a new permission, or of `before` with changes. */
function permissionData(check: BodyReader, fields: PermissionChanges, before?: Permission): PermissionData {
  const { name = before?.name ?? "", action = before?.action ?? "" } = fields;
  if (action && !ACTIONS.has(action)) check.fail("action", "is not an action of this app");
  const condition = fields.condition ?? before?.condition;
  if (condition && jsonBytes(condition) > CUSTOM_DATA_LIMIT)
    check.fail("condition", `must be at most ${CUSTOM_DATA_LIMIT} bytes`);
  return {
    name,
    action,
    description: fields.description ?? before?.description ?? "",
    owner: fields.owner ?? before?.owner ?? false,
    same_team: fields.same_team ?? before?.same_team ?? true,
    tags: fields.tags ?? before?.tags ?? [],
    ...(condition && Object.keys(condition).length > 0 ? { condition } : {}),
  };
}

export function createPermission(call: RouteCall): Reply<"createPermission"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const fields = check.read(adminBodies.createPermission);
  const { id } = fields;
  if (id && !NAME.test(id)) check.fail("id", NAME_FORM);
  else if (BUILT_IN_PERMISSIONS.has(id) || customPermissions.find(db, { id }))
    check.fail("id", "is taken by another permission");
  const data = permissionData(check, fields);
  check.done();
  const now = call.now();
  customPermissions.insert(db, { id, data: JSON.stringify(data), created_at: now, updated_at: now });
  return {};
}

export function updatePermission(call: RouteCall): Reply<"updatePermission"> {
  const { db, body, path } = call;
  const before = requireCustom(db, path.id ?? "");
  const check = new BodyReader(body);
  const fields = check.read(adminBodies.updatePermission);
  if (fields.id !== undefined && fields.id !== before.id) check.fail("id", "cannot be changed");
  for (const key of ["name", "action"] as const)
    if (fields[key]?.trim() === "") check.fail(key, "must not be blank");
  const data = permissionData(check, fields, before);
  check.done();
  customPermissions.update(db, before, { data: JSON.stringify(data), updated_at: call.now() });
  return {};
}

export function deletePermission({ db, path }: RouteCall): Reply<"deletePermission"> {
  const { id } = requireCustom(db, path.id ?? "");
  const access = accessOf(db);
  const scope = [APP_SCOPE, ...access.types.keys()].find((scope) =>
    Object.values(access.grantsOf(scope).list).some((names) => names.includes(id)),
  );
  if (scope !== undefined) throw invalidField("id", `is still granted in ${scope}; take it away there first`);
  customPermissions.remove(db, { id });
  return {};
}
