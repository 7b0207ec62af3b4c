/** GET /users: users by filter and sort, with presence for the first of them (specification/users.md §6). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { PRESENCE_USERS } from "../../../../wire/constants.ts";
import { readApp } from "../../../store/app-settings.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { canInEveryTeam, canInType } from "../../access/view/policy.ts";
import { teamsOf } from "../../access/storage/teams.ts";
import { BodyReader, type Fields, isObject } from "../../validation/check.ts";
import { isEmptyObject } from "../../../../wire/absent.ts";
import { requireConnection } from "../../validation/connection.ts";
import { viewerOf, fullUsers } from "../view/private-view.ts";
import { serverUserField, userField } from "../storage/filter.ts";
import { USER_ORDER, noRoles, inTeams, usersPage } from "../storage/list.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { readMatch } from "../../query/listing.ts";

/** The filter, and the conditions that the app's settings add for client-side calls. `{teams: {}}` is every team. */
function limitFilter(call: RouteCall, filter: unknown): { filter: unknown; limits: Sql[] } {
  const { teams: requestedTeams, ...rest } = isObject(filter) ? filter : ({} as Fields);
  const everyTeam = isEmptyObject(requestedTeams);
  const filterWithoutTeams = everyTeam ? rest : filter;
  if (call.caller.kind === "server") return { filter: filterWithoutTeams, limits: [] };
  const roles = readApp(call.db).user_search_disallowed_roles;
  const mayNameTeams = requestedTeams !== undefined && canInEveryTeam(call, "search-user");
  const teams = mayNameTeams ? undefined : teamsOf(call.db, call.caller.userId);
  return {
    filter: filterWithoutTeams,
    limits: [...(roles.length > 0 ? [noRoles(roles)] : []), ...(teams ? [inTeams(teams.names)] : [])],
  };
}

export function queryUsers(call: RouteCall): Reply<"queryUsers"> {
  if (!canInType(call, ".app", "search-user"))
    throw ApiProblem.notAllowed("You are not allowed to search users");
  const { body } = call;
  const check = new BodyReader(body);
  const { filter, limits } = limitFilter(call, body.filter_conditions);
  const server = call.caller.kind === "server";
  const fields = server ? serverUserField : userField;
  const match = readMatch(check, { filter_conditions: filter, sort: body.sort }, { ...USER_ORDER, fields });
  const options = check.read(userBodies.queryUsers);
  const { limit, offset, presence, include_deactivated_users: deactivated = false } = options;
  const cursors = (["id_gt", "id_gte", "id_lt", "id_lte"] as const).flatMap((key) => {
    const id = options[key];
    return id === undefined ? [] : [{ key, id }];
  });
  if (cursors.length > 0 && (match.order.fieldNames.length !== 1 || match.order.fieldNames[0] !== "id"))
    check.fail("sort", "must be by id when an id cursor is given");
  check.done();
  requireConnection(call, false, presence);
  const rows = usersPage(call.db, { ...match, limits, cursors, deactivated, limit, offset });
  if (presence && call.connectionId)
    call.emit.subscribePresence(
      call.connectionId,
      rows.slice(0, PRESENCE_USERS).map(({ id }) => id),
    );
  return {
    users: fullUsers({ db: call.db, emit: call.emit, now: call.now() }, rows, ({ id }) => viewerOf(call, id)),
  };
}
