/** GET /users: people by filter and sort, with presence for the first of them (specification/users.md §6). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { PRESENCE_USERS } from "../../../../wire/constants.ts";
import { readApp } from "../../../store/app-settings.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { canInType } from "../../access/view/policy.ts";
import { teamsOf } from "../../access/storage/teams.ts";
import { BodyReader, type Fields, isObject } from "../../validation/check.ts";
import { requireConnection } from "../../validation/connection.ts";
import { looked } from "../../../store/budget.ts";
import { compileFilter } from "../../query/filter.ts";
import { compileSort } from "../../query/sort.ts";
import { eyesOf, fullUsers } from "../view/full-view.ts";
import type { UserRow } from "../storage/rows.ts";
import { serverUserField, userField, USER_SORTS } from "../storage/filter.ts";

/** Conditions that the app's settings add for client-side calls; `{teams: {}}` lifts the one of teams. */
function hidden(call: RouteCall, filter: unknown): { filter: unknown; text: string; values: string[] } {
  const { teams: asked, ...rest } = isObject(filter) ? filter : ({} as Fields);
  const lifts = isObject(asked) && Object.keys(asked).length === 0;
  const cleaned = lifts ? rest : filter;
  if (call.caller.kind === "server") return { filter: cleaned, text: "", values: [] };
  const parts: string[] = [];
  const values: string[] = [];
  const roles = readApp(call.db).user_search_disallowed_roles;
  if (roles.length > 0) {
    parts.push("AND u.role NOT IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(roles));
  }
  const teams = asked === undefined ? teamsOf(call.db, call.caller.userId) : undefined;
  if (teams) {
    parts.push("AND EXISTS (SELECT 1 FROM json_each(u.teams) t JOIN json_each(?) o ON o.value = t.value)");
    values.push(JSON.stringify(teams.names));
  }
  return { filter: cleaned, text: parts.join(" "), values };
}

export function queryUsers(call: RouteCall): Reply<"queryUsers"> {
  if (!canInType(call, ".app", "search-user"))
    throw new ApiProblem(17, "You are not allowed to search users");
  const { body } = call;
  const check = new BodyReader(body);
  const limits = hidden(call, body.filter_conditions);
  const server = call.caller.kind === "server";
  const where = compileFilter(limits.filter, server ? serverUserField : userField, check);
  const order = compileSort(body.sort, (name) => (USER_SORTS.has(name) ? `u.${name}` : undefined), check, {
    fallback: "u.created_at DESC",
    tie: "u.id DESC",
    custom: "u.data",
  });
  const given = check.read(userBodies.queryUsers);
  const { limit, offset, presence, include_deactivated_users: deactivated = false } = given;
  const cursors = (["id_gt", "id_gte", "id_lt", "id_lte"] as const).flatMap((key) => {
    const id = given[key];
    return id === undefined ? [] : [{ key, id }];
  });
  if (cursors.length > 0 && (order.named.length !== 1 || order.named[0] !== "id"))
    check.fail("sort", "must be by id when an id cursor is given");
  check.done();
  requireConnection(call, false, presence);
  const signs = { id_gt: ">", id_gte: ">=", id_lt: "<", id_lte: "<=" };
  const rows = call.db.raw
    .prepare(
      `SELECT u.* FROM users u WHERE u.deleted_at IS NULL AND ${looked("u.created_at")} ${deactivated ? "" : "AND u.deactivated_at IS NULL"}
       AND (${where.text}) ${limits.text} ${cursors.map(({ key }) => `AND u.id ${signs[key]} ?`).join(" ")}
       ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(
      ...where.values,
      ...limits.values,
      ...cursors.map(({ id }) => id),
      ...order.values,
      limit,
      offset,
    ) as unknown as UserRow[];
  if (presence && call.connectionId)
    call.emit.subscribePresence(
      call.connectionId,
      rows.slice(0, PRESENCE_USERS).map(({ id }) => id),
    );
  return {
    users: fullUsers({ db: call.db, emit: call.emit, now: call.now() }, rows, ({ id }) => eyesOf(call, id)),
  };
}
