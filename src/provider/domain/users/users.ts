/** Routes of users: query, upsert (a replacement), partial update. */
import { customOf } from "../../../wire/custom.ts";
import { MAX_OFFSET, QUERY_USERS_LIMIT, USERS_PER_CALL } from "../../../wire/constants.ts";
import { isUserId } from "../../../wire/ids.ts";
import type { User } from "../../../wire/user.ts";
import { Refusal, type Call, type Reply } from "../../handler.ts";
import { Check, isObject, type Fields } from "../asked/check.ts";
import { compileFilter, type FieldLookup } from "../query/filter.ts";
import {
  customField,
  EQUAL,
  listField,
  RANGE,
  textField,
  timeField,
  boolField,
} from "../query/filter-fields.ts";
import { applyPartial, firstStep, readPartial } from "../asked/paths.ts";
import { canInType } from "../access/policy.ts";
import { compileSort } from "../query/sort.ts";
import { readUserFields, writeUser, type UserFields } from "./fields.ts";
import { findUser, privateUser, publicUser, userRow, type UserRow } from "./view.ts";
import { needConnection } from "../channels/watching.ts";

const FIELDS: Record<string, ReturnType<typeof textField>> = {
  id: textField("u.id", [...EQUAL, ...RANGE.slice(2), "$autocomplete"]),
  name: textField("u.name", [...EQUAL, "$autocomplete", "$q", "$exists"]),
  role: textField("u.role"),
  banned: boolField("u.banned"),
  teams: listField("u.teams", ["$eq", "$in", "$contains"]),
  created_at: timeField("u.created_at"),
  updated_at: timeField("u.updated_at"),
  last_active: timeField("u.last_active"),
};
const NOT_FILTERABLE = new Set([
  "online",
  "invisible",
  "privacy_settings",
  "mutes",
  "channel_mutes",
  "devices",
]);
const fieldOf: FieldLookup = (name) =>
  Object.hasOwn(FIELDS, name)
    ? FIELDS[name]
    : NOT_FILTERABLE.has(name)
      ? undefined
      : customField("u.data", name);
const SORTS = new Set(["id", "name", "role", "created_at", "updated_at", "last_active"]);

function queryUsers(call: Call): Reply {
  if (!canInType(call, ".app", "search-user")) throw new Refusal(17, "You are not allowed to search users");
  const check = new Check(call.body);
  const where = compileFilter(call.body.filter_conditions, fieldOf, check);
  const order = compileSort(call.body.sort, (name) => (SORTS.has(name) ? `u.${name}` : undefined), check, {
    fallback: "u.created_at DESC",
    tie: "u.id DESC",
    custom: "u.data",
  });
  const limit = check.limit(QUERY_USERS_LIMIT);
  const offset = check.whole("offset", 0, MAX_OFFSET) ?? 0;
  const cursors = (["id_gt", "id_gte", "id_lt", "id_lte"] as const).flatMap((key) => {
    const id = check.id(key);
    return id === undefined ? [] : [{ key, id }];
  });
  if (cursors.length > 0 && (order.named.length !== 1 || order.named[0] !== "id"))
    check.fail("sort", "must be by id when an id cursor is given");
  const presence = check.flag("presence");
  check.done();
  needConnection(call, false, presence);
  const signs = { id_gt: ">", id_gte: ">=", id_lt: "<", id_lte: "<=" };
  const rows = call.db.raw
    .prepare(
      `SELECT u.* FROM users u WHERE u.deleted_at IS NULL
       ${call.body.include_deactivated_users === true ? "" : "AND u.deactivated_at IS NULL"}
       AND (${where.text}) ${cursors.map(({ key }) => `AND u.id ${signs[key]} ?`).join(" ")}
       ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(
      ...where.values,
      ...cursors.map(({ id }) => id),
      ...order.values,
      limit,
      offset,
    ) as unknown as UserRow[];
  if (presence && call.connectionId)
    call.emit.subscribePresence(
      call.connectionId,
      rows.slice(0, 30).map(({ id }) => id),
    );
  return { users: rows.map((row) => viewFor(call, row)) };
}

/** Self and servers see the private keys too. */
function viewFor(call: Call, row: UserRow): User {
  const online = call.emit.online(row.id);
  return call.caller.kind === "server" || call.caller.userId === row.id
    ? privateUser(row, online)
    : publicUser(row, online);
}

const ROLES = new Set(["user", "guest", "admin", "moderator"]);

/** `role` and `teams` of a request: server side only. */
function readRole(call: Call, check: Check, source: Fields): { role?: string; teams?: string[] } {
  if (call.caller.kind !== "server") {
    for (const key of ["role", "teams", "teams_role"])
      if (source[key] !== undefined)
        throw new Refusal(17, `You are not allowed to change the ${key} of a user`);
    return {};
  }
  const role = check.text("role", 64);
  if (role !== undefined && !ROLES.has(role)) check.fail("role", "is not a role of this app");
  const teams = check.texts("teams", 250);
  return { ...(role === undefined ? {} : { role }), ...(teams ? { teams } : {}) };
}

function mayWrite(call: Call, id: string): void {
  if (call.caller.kind === "server") return;
  if (id !== call.caller.userId || !canInType(call, ".app", "update-user", true))
    throw new Refusal(17, "You are not allowed to change other users");
}

/** Writes, tells the watchers of the user's presence, answers the stored user. */
function store(
  call: Call,
  id: string,
  before: UserRow | undefined,
  fields: UserFields,
  given: { role?: string; teams?: string[] },
): User {
  const now = call.now();
  const changed = writeUser(call.db, id, before, fields, now);
  const role = given.role ?? before?.role ?? "user";
  const teams = given.teams ? JSON.stringify(given.teams) : (before?.teams ?? "[]");
  const ranked = role !== (before?.role ?? "user") || teams !== (before?.teams ?? "[]");
  if (ranked)
    call.db.run("UPDATE users SET role = ?, teams = ?, updated_at = ? WHERE id = ?", role, teams, now, id);
  const after = userRow(call.db, id);
  if (before && (changed?.visible || ranked))
    call.emit.presence(id, { type: "user.updated", user: publicUser(after, call.emit.online(id)) });
  if (before && changed?.presence)
    call.emit.presence(id, { type: "user.presence.changed", user: publicUser(after, call.emit.online(id)) });
  return viewFor(call, after);
}

/** POST /users replaces: name, image, language and custom fields not named are removed (users.md §4). */
function upsertUsers(call: Call): Reply {
  const problems: Record<string, string> = {};
  const top = new Check(call.body, "", problems);
  const map = top.object("users");
  if (!map) top.fail("users", "is required");
  const entries = Object.entries(map ?? {});
  if (entries.length > USERS_PER_CALL) top.fail("users", `must hold at most ${USERS_PER_CALL} entries`);
  const read = entries.map(([key, given]) => {
    const source = isObject(given) ? given : {};
    const check = new Check(source, `users.${key}.`, problems);
    const id = check.need("id", 255);
    if (id && !isUserId(id)) check.fail("id", "is not a user id");
    if (id && id !== key) check.fail("id", "must equal its key in users");
    const named = Object.keys(source).some((k) => k === "name");
    const fields = readUserFields(check, source);
    for (const [k, value] of Object.entries(fields.data)) if (value === null) delete fields.data[k];
    return { id, fields: { ...fields, name: named ? (fields.name ?? null) : null }, check, source };
  });
  top.done();
  for (const { id } of read) mayWrite(call, id);
  const ranked = read.map((one) => ({ ...one, given: readRole(call, one.check, one.source) }));
  top.done();
  const users: Record<string, User> = {};
  for (const { id, fields, given } of ranked) {
    const before = findUser(call.db, id);
    if (before?.deleted_at != null) throw new Refusal(4, `User ${id} is deleted`);
    const status = before && (JSON.parse(before.data) as Fields).status;
    if (status !== undefined && fields.data.status === undefined) fields.data.status = status;
    users[id] = store(call, id, before, fields, given);
  }
  return { users, membership_deletion_task_id: "" };
}

const PARTIAL = new Set([
  "name",
  "image",
  "role",
  "teams",
  "language",
  "invisible",
  "status",
  "privacy_settings",
]);

function updateUsersPartial(call: Call): Reply {
  const problems: Record<string, string> = {};
  const top = new Check(call.body, "", problems);
  const list = top.list("users", USERS_PER_CALL);
  if (!list) top.fail("users", "is required");
  const read = (list ?? []).map((given, i) => {
    const check = new Check(isObject(given) ? given : {}, `users.${i}.`, problems);
    const id = check.need("id", 255);
    return { id, check, partial: readPartial(check) };
  });
  top.done();
  for (const { id } of read) mayWrite(call, id);
  const users: Record<string, User> = {};
  for (const { id, check, partial } of read) {
    const before = userRow(call.db, id);
    const current: Fields = {
      ...(JSON.parse(before.data) as Fields),
      name: before.name,
      invisible: before.invisible === 1,
      privacy_settings: JSON.parse(before.privacy) as Fields,
    };
    const builtIn = [...Object.keys(partial.set), ...partial.unset].map(firstStep);
    const managed = builtIn.filter(
      (key) => !PARTIAL.has(key) && customOf("user", { [key]: 1 })[key] === undefined,
    );
    for (const key of managed) check.fail(key, "cannot be set");
    const after = applyPartial(current, partial);
    const given = readRole(call, new Check(partial.set, `users.${id}.set.`, problems), partial.set);
    delete after.role;
    delete after.teams;
    const fields = readUserFields(new Check(after, `users.${id}.set.`, problems), after);
    top.done();
    users[id] = store(
      call,
      id,
      before,
      { ...fields, name: fields.name ?? null, privacy: fields.privacy ?? {} },
      given,
    );
  }
  return { users };
}

export const userHandlers = { queryUsers, upsertUsers, updateUsersPartial };
