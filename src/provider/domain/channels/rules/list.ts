/** POST /channels: the list of readable channels that match a filter, sorted, with their states. */
import { channelBodies } from "../../../../wire/bodies/channels.ts";
import type { ChannelState } from "../../../../wire/entities/channel.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { maybeActor } from "../../users/rules/acting.ts";
import { channelFields, PERSONAL_FIELDS } from "../storage/filter.ts";
import { memberRow, findAnyChannel } from "../storage/rows.ts";
import { channelStates, DEFAULT_WATCHERS, NEWEST } from "./state.ts";
import { BodyReader, isObject, type Fields } from "../../validation/check.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { callerPermissions } from "../../access/view/policy.ts";
import { typesWithPermission, readableChannels } from "../../access/view/readable.ts";
import { teamsOf } from "../../access/storage/teams.ts";
import { startWatching, presenceOf } from "../../watching/rules/watching.ts";
import { requireConnection } from "../../validation/connection.ts";
import { CHANNEL_ORDER, channelPage, inManyChannels } from "../storage/list.ts";
import { readMatch } from "../../query/listing.ts";

/** A filter by `has_unread` sees at most this many channels (specification/channels.md §3.1). */
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
  const match = readMatch(check, body, { ...CHANNEL_ORDER, fields });
  const { where } = match;
  const given = check.read(channelBodies.queryChannels);
  const { offset, limit: asked, message_limit: messages, member_limit: members } = given;
  const { member_custom_include: riding = [], state = true, watch, presence } = given;
  const limit = where.named.has("has_unread")
    ? Math.min(asked, Math.max(0, UNREAD_CHANNELS - offset))
    : asked;
  if (server && userId === undefined)
    for (const name of PERSONAL_FIELDS)
      if (where.named.has(name)) check.fail("user_id", `is required to filter by ${name}`);
  check.done();
  requireConnection(call, watch, presence);

  if (!server) needTeams(call, body.filter_conditions);
  const mine = readableChannels(db, call.caller, userId);
  const found = channelPage(db, userId, mine, { ...match, limit, offset });
  const opened = found
    .map((cid) => callerPermissions(call, findAnyChannel(db, cid)!))
    .map((permissions) =>
      userId !== undefined && permissions.userId === undefined ? { ...permissions, userId } : permissions,
    );
  if (call.emit.loadWatchers) call.emit.loadWatchers(found, watch === true);
  else if (watch) for (const permissions of opened) startWatching(call, permissions);
  const at = viewContext(db, call.emit, now, userId);
  const channels = channelStates(call, at, opened, {
    state,
    page: NEWEST(messages),
    members: { limit: members, offset: 0 },
    ...(watch ? { watchers: DEFAULT_WATCHERS } : {}),
  });
  if (riding.length > 0) for (const one of channels) addMemberFields(db, one, riding);
  if (presence)
    call.emit.subscribePresence(call.connectionId!, [
      ...new Set(channels.flatMap((one) => presenceOf(one.members, userId))),
    ]);
  return { channels };
}

/** Copies custom fields of each author's membership, as they are now, to `message.member`. */
function addMemberFields(db: Database, { channel, messages }: ChannelState, keys: string[]): void {
  const held = new Map<string, Fields>();
  for (const message of messages) {
    const author = message.user.id;
    let fields = held.get(author);
    if (!fields) {
      const row = memberRow(db, channel.cid, author);
      const data = row ? (JSON.parse(row.data) as Fields) : {};
      fields = Object.fromEntries(
        keys.filter((key) => Object.hasOwn(data, key)).map((key) => [key, data[key]]),
      );
      held.set(author, fields);
    }
    if (Object.keys(fields).length > 0) Object.assign((message.member ??= {} as never), fields);
  }
}

/** Values a filter asks of `team`, wherever in it. */
function teamsNamed(filter: unknown): unknown[] {
  if (Array.isArray(filter)) return filter.flatMap(teamsNamed);
  if (!isObject(filter)) return [];
  return Object.entries(filter).flatMap(([key, value]) =>
    key === "team" ? (isObject(value) ? Object.values(value).flat() : [value]) : teamsNamed(value),
  );
}

/** 403 code 70 for who asks for channels of a team that is not its own (specification/admin.md §11). */
function needTeams(call: RouteCall, filter: unknown): void {
  const teams = teamsOf(call.db, call.caller.userId);
  if (!teams || typesWithPermission(call.db, call.caller.role, "read-channel", "anyTeam").length > 0) return;
  const foreign = teamsNamed(filter).find((team) => typeof team === "string" && !teams.names.includes(team));
  if (foreign !== undefined)
    throw ApiProblem.noAccess("You have no access to channels of a team that is not yours");
}
