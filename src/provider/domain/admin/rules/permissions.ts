/** Routes of permissions: the built-in ones, and those of the app that stand for one of them (specification/admin.md §4). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import type { Values } from "../../../../wire/fields.ts";
import type { Permission } from "../../../../wire/entities/role.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf, baseOfAction } from "../../access/storage/access.ts";
import { APP_SCOPE, BUILT_IN_PERMISSIONS, type BuiltInPermission } from "../../access/storage/grants.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import { BodyReader, jsonBytes, invalidField } from "../../validation/check.ts";
import { NAME, NAME_FORM } from "../../../../wire/ids.ts";
import {
  findPermission,
  permissionRows,
  insertPermission,
  storePermission,
  removePermission,
} from "../../access/storage/rights.ts";

/** `create-message` → `CreateMessage`. */
const actionOf = (base: string): string =>
  base.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const ACTIONS = new Map([...BUILT_IN_PERMISSIONS.values()].map(({ base, level }) => [actionOf(base), level]));

/** Who is the owner that an `-owner` permission speaks of: for most actions the channel's creator (specification/wire.md §13.13). */
const OWN = new Map([
  ["update-message", "message"],
  ["delete-message", "message"],
  ["delete-attachment", "attachment"],
  ["delete-reaction", "reaction"],
  ["update-user", "user"],
  ["update-poll", "poll"],
  ["close-poll", "poll"],
  ["delete-poll", "poll"],
]);
const ownResource = (base: string): string => OWN.get(base) ?? "channel";

function builtInView({ id, base, owner, anyTeam, level }: BuiltInPermission): Permission {
  const words = base.replaceAll("-", " ");
  return {
    id,
    name: words[0]!.toUpperCase() + words.slice(1) + (owner ? " (own)" : "") + (anyTeam ? " (any team)" : ""),
    description: `Allows to ${words}${owner ? `, of one's own ${ownResource(base)} only` : ""}${anyTeam ? ", in any team" : ""}`,
    action: actionOf(base),
    owner,
    same_team: !anyTeam,
    custom: false,
    level,
    tags: [],
    ...(owner ? { owner_resource: ownResource(base) } : {}),
  };
}

type Stored = Omit<Permission, "id" | "custom" | "level" | "owner_resource">;

function customView(id: string, data: string): Permission {
  const stored = JSON.parse(data) as Stored;
  return {
    id,
    ...stored,
    custom: true,
    level: ACTIONS.get(stored.action) ?? "channel",
    ...(stored.owner ? { owner_resource: ownResource(baseOfAction(stored.action)) } : {}),
  };
}

function permissionView(db: Database, id: string): Permission {
  const found = BUILT_IN_PERMISSIONS.get(id);
  if (found) return builtInView(found);
  const row = findPermission(db, id);
  if (!row) throw ApiProblem.notFound(`Permission ${id.slice(0, 64)} does not exist`);
  return customView(id, row.data);
}

/** Only permissions of the app can be changed. */
function needCustom(db: Database, id: string): Permission {
  const view = permissionView(db, id);
  if (!view.custom) throw invalidField("id", "is a built-in permission and stays as it is");
  return view;
}

export function listPermissions({ db }: RouteCall): Reply<"listPermissions"> {
  return {
    permissions: [
      ...[...BUILT_IN_PERMISSIONS.values()].map(builtInView),
      ...permissionRows(db).map(({ id, data }) => customView(id, data)),
    ],
  };
}

export function getPermission({ db, path }: RouteCall): Reply<"getPermission"> {
  return { permission: permissionView(db, path.id ?? "") };
}

type Given = Values<typeof adminBodies.updatePermission>;

/** What is written over `before`, or a new one. */
function written(check: BodyReader, given: Given, before?: Permission): Stored {
  const { name = before?.name ?? "", action = before?.action ?? "" } = given;
  if (action && !ACTIONS.has(action)) check.fail("action", "is not an action of this app");
  const condition = given.condition ?? before?.condition;
  if (condition && jsonBytes(condition) > CUSTOM_DATA_LIMIT)
    check.fail("condition", `must be at most ${CUSTOM_DATA_LIMIT} bytes`);
  return {
    name,
    action,
    description: given.description ?? before?.description ?? "",
    owner: given.owner ?? before?.owner ?? false,
    same_team: given.same_team ?? before?.same_team ?? true,
    tags: given.tags ?? before?.tags ?? [],
    ...(condition && Object.keys(condition).length > 0 ? { condition } : {}),
  };
}

export function createPermission(call: RouteCall): Reply<"createPermission"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const given = check.read(adminBodies.createPermission);
  const { id } = given;
  if (id && !NAME.test(id)) check.fail("id", NAME_FORM);
  else if (BUILT_IN_PERMISSIONS.has(id) || findPermission(db, id))
    check.fail("id", "is taken by another permission");
  const data = written(check, given);
  check.done();
  insertPermission(db, { id, data: JSON.stringify(data) }, call.now());
  return {};
}

export function updatePermission(call: RouteCall): Reply<"updatePermission"> {
  const { db, body, path } = call;
  const before = needCustom(db, path.id ?? "");
  const check = new BodyReader(body);
  const given = check.read(adminBodies.updatePermission);
  if (given.id !== undefined && given.id !== before.id) check.fail("id", "cannot be changed");
  for (const key of ["name", "action"] as const)
    if (given[key]?.trim() === "") check.fail(key, "must not be blank");
  const data = written(check, given, before);
  check.done();
  storePermission(db, { id: before.id, data: JSON.stringify(data) }, call.now());
  return {};
}

export function deletePermission({ db, path }: RouteCall): Reply<"deletePermission"> {
  const { id } = needCustom(db, path.id ?? "");
  const access = accessOf(db);
  const user = [APP_SCOPE, ...access.types.keys()].find((scope) =>
    Object.values(access.grantsOf(scope).list).some((names) => names.includes(id)),
  );
  if (user !== undefined) throw invalidField("id", `is still granted in ${user}; take it away there first`);
  removePermission(db, id);
  return {};
}
