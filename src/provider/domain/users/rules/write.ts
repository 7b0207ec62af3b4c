/** POST /users (replaces) and PATCH /users (sets paths): up to a hundred users, all or none (specification/users.md §4). */
import { RANKS_OF_USERS, SETTABLE_OF_USERS, userBodies, userInput } from "../../../../wire/bodies/users.ts";
import { customOf } from "../../../../wire/custom.ts";
import { USERS_PER_CALL } from "../../../../wire/constants.ts";
import { isUserId } from "../../../../wire/ids.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { User } from "../../../../wire/entities/user.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { canInType } from "../../access/view/policy.ts";
import { BodyReader, isObject, type Fields, invalidField } from "../../validation/check.ts";
import { applyPartial, firstStep, readPartial, type Partial } from "../../validation/paths.ts";
import { readServerFields, readUserFields, writeUser, type UserFields } from "./fields.ts";
import { viewerOf, fullUser } from "../view/private-view.ts";
import { publishChangedUser } from "../view/publish-user.ts";
import { acceptOldTokens, findUser, userRow, type UserRow } from "../storage/rows.ts";

function requireWrite(call: RouteCall, id: string, source: Iterable<string>): void {
  if (call.caller.kind === "server") return;
  for (const key of source)
    if (RANKS_OF_USERS.has(key))
      throw ApiProblem.notAllowed(`You are not allowed to change the ${key} of a user`);
  if (id !== call.caller.userId || !canInType(call, ".app", "update-user", true))
    throw ApiProblem.notAllowed("You are not allowed to change other users");
}

/** Whether the caller may set the roles of others, and nothing else is set; a whole user that has only a role would lose the rest. */
const mayChangeRole = (call: RouteCall, names: readonly string[]): boolean =>
  names.length > 0 &&
  names.every((name) => name === "role") &&
  canInType(call, ".app", "update-user-role", false);

/** Writes the user, emits the change, closes connections with revoked tokens, and returns the stored user. */
function store(call: RouteCall, id: string, before: UserRow | undefined, fields: UserFields): User {
  const { db, emit } = call;
  const now = call.now();
  if (!before && call.caller.kind === "server") acceptOldTokens(db, id);
  const changed = writeUser(db, id, before, fields, now);
  const after = userRow(db, id);
  if (before && changed) publishChangedUser(emit, after, changed, emit.online(id));
  const revoked = after.revoked_before;
  if (revoked !== null && revoked !== before?.revoked_before)
    emit.disconnect({ userId: id, issuedBefore: revoked }, 40, "token was revoked");
  return fullUser({ db, emit, now }, after, viewerOf(call, id));
}

/** Removes name, image, language and custom fields that are not named; other fields are kept. */
export function upsertUsers(call: RouteCall): Reply<"upsertUsers"> {
  const bodyCheck = new BodyReader(call.body);
  const entries = Object.entries<unknown>(bodyCheck.read(userBodies.upsertUsers).users);
  if (entries.length > USERS_PER_CALL) bodyCheck.fail("users", `must hold at most ${USERS_PER_CALL} entries`);
  bodyCheck.done();
  for (const [key, user] of entries)
    if (isObject(user) && typeof user.id === "string")
      requireWrite(
        call,
        user.id,
        Object.keys(user).filter((name) => user[name] !== undefined),
      );
    else if (!isObject(user)) bodyCheck.fail(`users.${key}`, "must be a user");
  const read = entries.map(([key, user]) => {
    const check = bodyCheck.within(isObject(user) ? user : {}, `users.${key}`);
    const { id } = check.read({ id: userInput.id });
    if (id && !isUserId(id)) check.fail("id", "is not a user id");
    if (id && id !== key) check.fail("id", "must equal its key in users");
    const fields = readUserFields(check);
    const ranks = readServerFields(call.db, check);
    for (const [k, value] of Object.entries(fields.data)) if (value === null) delete fields.data[k];
    return { id, fields: { ...fields, ...ranks, name: fields.name ?? null } };
  });
  bodyCheck.done();
  const users: Record<string, User> = {};
  for (const { id, fields } of read) {
    const before = findUser(call.db, id);
    if (before?.deleted_at != null)
      throw invalidField(`users.${id}.id`, "is a deleted user", `User ${id} is deleted`);
    const status = before && (JSON.parse(before.data) as Fields).status;
    if (status !== undefined && fields.data.status === undefined) fields.data.status = status;
    users[id] = store(call, id, before, fields);
  }
  return { users, membership_deletion_task_id: "" };
}

export function updateUsersPartial(call: RouteCall): Reply<"updateUsersPartial"> {
  const bodyCheck = new BodyReader(call.body);
  const read = bodyCheck.read(userBodies.updateUsersPartial).users.map(({ id, ...fields }, i) => {
    const check = bodyCheck.within(fields, `users.${i}`);
    const partial = readPartial(check);
    return { id, check, partial, named: [...Object.keys(partial.set), ...partial.unset].map(firstStep) };
  });
  bodyCheck.done();
  for (const { id, named: names } of read) if (!mayChangeRole(call, names)) requireWrite(call, id, names);
  const users: Record<string, User> = {};
  for (const [i, { id, check, partial, named: names }] of read.entries()) {
    const before = userRow(call.db, id);
    for (const key of names)
      if (!SETTABLE_OF_USERS.has(key) && customOf("user", { [key]: 1 })[key] === undefined)
        check.fail(key, "cannot be set");
    const after = applyPartial(editableUser(before), mergePrivacy(before, partial));
    const inner = bodyCheck.within(after, `users.${i}.set`);
    const fields = readUserFields(inner);
    const ranks = readServerFields(call.db, inner, true);
    if (names.includes("role") && after.role === undefined) inner.fail("role", "cannot be removed");
    bodyCheck.done();
    users[id] = store(call, id, before, {
      ...fields,
      ...ranks,
      name: fields.name ?? null,
      privacy: fields.privacy ?? {},
    });
  }
  return { users };
}

/** `set: {privacy_settings: …}` changes only the named parts; null still clears all. */
function mergePrivacy(row: UserRow, partial: Partial): Partial {
  const { privacy_settings: changes } = partial.set;
  if (!isObject(changes)) return partial;
  const mergedPrivacy = { ...(JSON.parse(row.privacy) as Fields), ...changes };
  return { ...partial, set: { ...partial.set, privacy_settings: mergedPrivacy } };
}

/** The stored user in the form that paths apply to. */
function editableUser(row: UserRow): Fields {
  return {
    ...(JSON.parse(row.data) as Fields),
    name: row.name,
    invisible: row.invisible === 1,
    privacy_settings: JSON.parse(row.privacy) as Fields,
    role: row.role,
    teams: JSON.parse(row.teams) as string[],
    teams_role: JSON.parse(row.teams_role) as Fields,
    ...(row.revoked_before === null
      ? {}
      : { revoke_tokens_issued_before: timeFromMicros(row.revoked_before) }),
  };
}
