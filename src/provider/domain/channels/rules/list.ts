/** POST /channels: the readable channels that match a filter, with their states. */
import { channelBodies } from "../../../../wire/bodies/channels.ts";
import type { ChannelState } from "../../../../wire/entities/channel.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { maybeActor } from "../../users/rules/acting-user.ts";
import { channelFields, PERSONAL_FIELDS } from "../storage/filter.ts";
import { memberRow, findAnyChannel } from "../storage/rows.ts";
import { channelStates, DEFAULT_WATCHERS, newestPage } from "./state.ts";
import { BodyReader, isObject, type Fields } from "../../validation/check.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { callerPermissions } from "../../access/view/policy.ts";
import { typesWithPermission, readableChannels } from "../../access/view/readable.ts";
import { teamsOf } from "../../access/storage/teams.ts";
import { startWatching, presenceOf } from "../../watching/rules/watching.ts";
import { requireConnection } from "../../validation/connection.ts";
import { CHANNEL_LIST, channelPage, inManyChannels } from "../storage/list.ts";
import { readMatch } from "../../query/listing.ts";

/** A filter by `has_unread` returns at most this many channels over all pages (specification/channels.md §3.1). */
const UNREAD_CHANNELS = 100;

export function queryChannels(call: RouteCall): Reply<"queryChannels"> {
  const { body, db } = call;
  const server = call.caller.kind === "server";
  const userId =
    call.caller.kind === "anonymous" ? undefined : server ? maybeActor(call)?.id : call.caller.userId;
  const now = call.now();
  const check = new BodyReader(body);
  if (body.predefined_filter != null) check.fail("predefined_filter", "is not supported");
  const fields = channelFields(userId, now, (ids) => inManyChannels(db, ids));
  const match = readMatch(check, body, { ...CHANNEL_LIST, fields });
  const { where } = match;
  const options = check.read(channelBodies.queryChannels);
  const { offset, limit: requestedLimit, message_limit: messages, member_limit: members } = options;
  const { member_custom_include: memberFields = [], state = true, watch, presence } = options;
  const limit = where.fieldNames.has("has_unread")
    ? Math.min(requestedLimit, Math.max(0, UNREAD_CHANNELS - offset))
    : requestedLimit;
  if (server && userId === undefined)
    for (const name of PERSONAL_FIELDS)
      if (where.fieldNames.has(name)) check.fail("user_id", `is required to filter by ${name}`);
  check.done();
  requireConnection(call, watch, presence);

  if (!server) requireOwnTeams(call, body.filter_conditions);
  const readable = readableChannels(db, call.caller, userId);
  const cids = channelPage(db, userId, readable, { ...match, limit, offset });
  const permissionsList = cids
    .map((cid) => callerPermissions(call, findAnyChannel(db, cid)!))
    .map((permissions) =>
      userId !== undefined && permissions.userId === undefined ? { ...permissions, userId } : permissions,
    );
  if (call.emit.loadWatchers) call.emit.loadWatchers(cids, watch === true);
  else if (watch) for (const permissions of permissionsList) startWatching(call, permissions);
  const context = viewContext(db, call.emit, now, userId);
  const channels = channelStates(call, context, permissionsList, {
    state,
    page: newestPage(messages),
    members: { limit: members, offset: 0 },
    ...(watch ? { watchers: DEFAULT_WATCHERS } : {}),
  });
  if (memberFields.length > 0)
    for (const channelState of channels) addMemberFields(db, channelState, memberFields);
  if (presence)
    call.emit.subscribePresence(call.connectionId!, [
      ...new Set(channels.flatMap((channelState) => presenceOf(channelState.members, userId))),
    ]);
  return { channels };
}

/** Copies custom fields of each author's current membership to `message.member`. */
function addMemberFields(db: Database, { channel, messages }: ChannelState, keys: string[]): void {
  const fieldsByAuthor = new Map<string, Fields>();
  for (const message of messages) {
    const author = message.user.id;
    let fields = fieldsByAuthor.get(author);
    if (!fields) {
      const row = memberRow(db, channel.cid, author);
      const data = row ? (JSON.parse(row.data) as Fields) : {};
      fields = Object.fromEntries(
        keys.filter((key) => Object.hasOwn(data, key)).map((key) => [key, data[key]]),
      );
      fieldsByAuthor.set(author, fields);
    }
    if (Object.keys(fields).length > 0) Object.assign((message.member ??= {} as never), fields);
  }
}

/** All values that a filter compares `team` with, at any depth. */
function teamsInFilter(filter: unknown): unknown[] {
  if (Array.isArray(filter)) return filter.flatMap(teamsInFilter);
  if (!isObject(filter)) return [];
  return Object.entries(filter).flatMap(([key, value]) =>
    key === "team" ? (isObject(value) ? Object.values(value).flat() : [value]) : teamsInFilter(value),
  );
}

/** Throws code 70 if the filter names a team that is not the caller's (specification/admin.md §11). */
function requireOwnTeams(call: RouteCall, filter: unknown): void {
  const teams = teamsOf(call.db, call.caller.userId);
  if (!teams || typesWithPermission(call.db, call.caller.role, "read-channel", "anyTeam").length > 0) return;
  const foreign = teamsInFilter(filter).find(
    (team) => typeof team === "string" && !teams.names.includes(team),
  );
  if (foreign !== undefined)
    throw ApiProblem.noAccess("You have no access to channels of a team that is not yours");
}
