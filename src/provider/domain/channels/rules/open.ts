/** Opens a channel by id or by its members: gets or creates it, watches it, returns a page of its state. */
import type { ChannelState } from "../../../../wire/entities/channel.ts";
import { createHash } from "node:crypto";
import {
  CHANNEL_MEMBERS_LIMIT,
  CHANNEL_WATCHERS_LIMIT,
  MAX_OFFSET,
  MEMBERS_MAX_OFFSET,
} from "../../../../wire/constants.ts";
import { channelTypeProblem, makeCid } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, findChannel, memberRow, type ChannelRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { channelStates, DEFAULT_WATCHERS, newestPage, type StateOptions } from "./state.ts";
import { configOf } from "../../access/storage/access.ts";
import { channelView, memberList } from "../view/channels.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { eraseChannel } from "../storage/erase.ts";
import { clearBeforeRecreation } from "../../messages/rules/clearing.ts";
import {
  addMembers,
  requireUndeletedUsers,
  withoutInvited,
  readMembers,
  publishAddedMembers,
  type NewMember,
} from "./members.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { readPaging } from "../../messages/storage/paging.ts";
import {
  canInType,
  requireReadChannel,
  callerPermissions,
  type Permissions,
} from "../../access/view/policy.ts";
import { teamsOf } from "../../access/storage/teams.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { startWatching, presenceOf } from "../../watching/rules/watching.ts";
import { requireConnection } from "../../validation/connection.ts";
import { readApp } from "../../../store/app-settings.ts";
import { setHidden } from "../storage/members.ts";
import { insertChannel } from "../storage/change.ts";

function readOptions(
  check: BodyReader,
  body: Fields,
): { options: StateOptions; watch: boolean; presence: boolean } {
  const part = (
    field: string,
    limits: readonly [number, number],
    maxOffset: number,
  ): { limit: number; offset: number } => {
    const inner = check.inside(field);
    return { limit: inner.limit(limits), offset: inner.whole("offset", 0, maxOffset) ?? 0 };
  };
  const watch = check.flag("watch") ?? false;
  // Threads always include their unread numbers; only the type of this flag is checked.
  check.flag("thread_unread_counts");
  return {
    watch,
    presence: check.flag("presence") ?? false,
    options: {
      state: check.flag("state") ?? true,
      page: readPaging(check.inside("messages"), "messages."),
      members: part("members", CHANNEL_MEMBERS_LIMIT, MEMBERS_MAX_OFFSET),
      ...(watch || body.watchers != null
        ? { watchers: part("watchers", CHANNEL_WATCHERS_LIMIT, MAX_OFFSET) }
        : {}),
    },
  };
}

function channelState(
  call: RouteCall,
  permissions: Permissions,
  options: StateOptions,
  presence: boolean,
): ChannelState {
  const context = viewContext(call.db, call.emit, call.now(), permissions.userId);
  // A client that pages through the history has loaded the channel's threads already.
  const threads = options.page.anchor === undefined;
  const [state] = channelStates(call, context, [permissions], { ...options, threads });
  if (presence)
    call.emit.subscribePresence(call.connectionId!, presenceOf(state!.members, permissions.userId));
  return state!;
}

/** Undefined for anonymous users and servers without a user: they get the channel without personal parts. */
const viewerId = (call: RouteCall): Permissions["userId"] =>
  call.caller.kind === "anonymous" ? undefined : call.caller.userId;

export function queryChannel(call: RouteCall): Reply<"queryChannel"> {
  return openChannel(call, cidOfPath(call.path), false);
}

/** The id of a distinct channel: a hash of its sorted member ids (specification/channels.md §1). */
export function distinctId(members: string[]): string {
  const hash = createHash("sha256").update(members.toSorted().join(",")).digest("base64url");
  return `!members-${hash}`;
}

export function queryDistinctChannel(call: RouteCall): Reply<"queryDistinctChannel"> {
  const type = call.path.type ?? "";
  const fault = channelTypeProblem(type);
  if (fault) throw invalidField("type", fault, fault);
  const check = new BodyReader(isObject(call.body.data) ? call.body.data : {}, "data.");
  const members = readMembers(call.db, check, "members").map(({ id }) => id);
  if (members.length === 0) check.fail("members", "is required for a channel without an id");
  check.done();
  if (call.caller.kind === "user" && !members.includes(call.caller.userId!))
    members.push(call.caller.userId!);
  return openChannel(call, makeCid(type, distinctId(members)), true);
}

function openChannel(call: RouteCall, cid: string, distinct: boolean): ChannelState {
  const check = new BodyReader(call.body);
  const { options, watch, presence } = readOptions(check, call.body);
  check.object("data");
  check.flag("hide_for_creator");
  const existing = findChannel(call.db, cid);
  const existingPermissions = existing && { ...callerPermissions(call, existing), userId: viewerId(call) };
  if (existingPermissions) requireReadChannel(existingPermissions);
  check.done();
  requireConnection(call, watch, presence);
  // Watching starts before the channel is created, so that the creator gets `channel.created` (specification/events.md §3).
  const watchStarted = watch && !existing ? call.emit.watch(call.connectionId!, cid) : undefined;
  const channel = existing ?? createChannel(call, cid, distinct);
  const permissions = existingPermissions ?? { ...callerPermissions(call, channel), userId: viewerId(call) };
  if (watch) startWatching(call, permissions, watchStarted);
  return channelState(call, permissions, options, presence);
}

function channelCreator(call: RouteCall, data: Fields): UserRow {
  if (call.caller.kind !== "server") return actor(call);
  const inline = isObject(data.created_by) && data.created_by.id ? data.created_by : undefined;
  const id = data.created_by_id ?? inline?.id ?? call.caller.userId;
  if (typeof id !== "string" || id === "")
    throw invalidField(
      "data.created_by_id",
      "is required with server-side auth",
      "either data.created_by or data.created_by_id must be provided when using server side auth.",
    );
  return actor(call, inline ? { user: inline } : { user_id: id });
}

/** Throws unless the caller may create a channel of this type with this id; checks type, id, permission and team in this order. */
function requireCreate(call: RouteCall, type: string, id: string, data: Fields, distinct: boolean): void {
  const { db, caller } = call;
  if (!configOf(db, type)) throw ApiProblem.notFound(`Channel type ${type} does not exist`);
  if (!distinct && id.startsWith("!members-"))
    throw invalidField("id", "must not begin with !members-, which belongs to distinct channels");
  const team = typeof data.team === "string" && data.team !== "" ? data.team : undefined;
  if (caller.kind === "anonymous" || !canInType(call, type, "create-channel", false, team))
    throw ApiProblem.notAllowed(
      `You are not allowed to create channels of type ${type}${team ? " in that team" : ""}`,
    );
  if (caller.kind === "user" && team === undefined && teamsOf(db, caller.userId)?.names.length)
    throw invalidField("data.team", "is required, because you belong to teams");
}

interface InitialContent {
  channelData: ChannelData;
  members: NewMember[];
  invites: NewMember[];
}

/** Reads the data and the first members; a user who creates a channel with members becomes one of them. */
function readInitialContent(
  call: RouteCall,
  people: People,
  data: Fields,
  creator: string,
  { type, distinct }: { type: string; distinct: boolean },
): InitialContent {
  const check = new BodyReader(data, "data.");
  const channelData = readChannelData(check, data);
  const invites = readMembers(call.db, check, "invites");
  const members = withoutInvited(readMembers(call.db, check, "members"), invites);
  check.done();
  if (channelData.disabled && call.caller.kind !== "server")
    throw ApiProblem.notAllowed("Only a server may disable a channel");
  const ids = (list: NewMember[]): string[] => list.map((member) => member.id);
  requireUndeletedUsers(people, "data.members", ids(members));
  requireUndeletedUsers(people, "data.invites", ids(invites));
  if (call.caller.kind === "user") {
    for (const member of [...members, ...invites]) member.role = undefined;
    const forOthers =
      distinct &&
      !readApp(call.db).disable_permissions_checks &&
      canInType(call, type, "create-distinct-channel-for-others", false);
    if ((members.length > 0 || distinct) && !forOthers && !members.some((m) => m.id === creator))
      members.unshift({ id: creator, role: undefined, custom: {} });
  }
  return { channelData, members, invites };
}

function insertRow(
  call: RouteCall,
  key: { cid: string; type: string; id: string; distinct: boolean },
  creator: string,
  channelData: ChannelData,
  now: number,
): ChannelRow {
  const { cid, type, id, distinct } = key;
  // Creating a soft-deleted channel again must give an empty one, so the old messages are detached or erased first.
  const detached = clearBeforeRecreation(call, cid, now);
  if (!detached) eraseChannel(call.db, cid, now);
  insertChannel(call.db, {
    rowid: detached?.rowid ?? null,
    last_stamp: detached?.stamp ?? 0,
    cid,
    type,
    id,
    created_at: now,
    created_by: creator,
    frozen: Number(channelData.frozen ?? false),
    disabled: Number(channelData.disabled ?? false),
    cooldown: channelData.cooldown ?? 0,
    is_distinct: Number(distinct),
    team: channelData.team ?? null,
    filter_tags: JSON.stringify(channelData.filterTags ?? []),
    auto_translation_enabled: Number(channelData.autoTranslation ?? false),
    auto_translation_language: channelData.language ?? null,
    data: JSON.stringify(channelData.custom),
  });
  return channelRow(call.db, cid);
}

function createChannel(call: RouteCall, cid: string, distinct: boolean): ChannelRow {
  const { db, emit } = call;
  const type = call.path.type!;
  const id = cid.slice(type.length + 1);
  const data = isObject(call.body.data) ? call.body.data : {};
  requireCreate(call, type, id, data, distinct);
  const creator = channelCreator(call, data);
  const people = new People(db, emit);
  const { channelData, members, invites } = readInitialContent(call, people, data, creator.id, {
    type,
    distinct,
  });
  const now = call.now();
  const channel = insertRow(call, { cid, type, id, distinct }, creator.id, channelData, now);
  const added = [
    ...addMembers(call, channel, members, { now }),
    ...addMembers(call, channel, invites, { now, invited: true }),
  ];
  if (call.body.hide_for_creator === true && memberRow(db, cid, creator.id))
    setHidden(db, cid, creator.id, now);
  emit.watchers(cid, {
    type: "channel.created",
    user: people.get(creator.id),
    channel: { ...channelView(people, channel), members: memberList(db, people, channel) },
  });
  publishAddedMembers(call, people, channel, added);
  return channelRow(db, cid);
}

/** GET: pages by `messages_limit`, `messages_id_lt` …; never creates the channel. */
export function getChannel(call: RouteCall): Reply<"getChannel"> {
  const cid = cidOfPath(call.path);
  const permissions = { ...callerPermissions(call, channelRow(call.db, cid)), userId: viewerId(call) };
  requireReadChannel(permissions);
  const { query } = call;
  const check = new BodyReader(query);
  const messages: Fields = {};
  for (const [key, value] of Object.entries(query))
    if (key.startsWith("messages_")) messages[key.slice("messages_".length)] = value;
  const problems = new BodyReader(messages, "messages_");
  const page =
    messages.limit === undefined && Object.keys(messages).length === 0
      ? newestPage(25)
      : readPaging(problems, "messages_");
  const options: StateOptions = {
    state: check.flag("state") ?? true,
    page,
    members: { limit: check.limit(CHANNEL_MEMBERS_LIMIT, "members_limit"), offset: 0 },
    ...(query.watchers_limit === undefined
      ? {}
      : { watchers: { ...DEFAULT_WATCHERS, limit: check.limit(CHANNEL_WATCHERS_LIMIT, "watchers_limit") } }),
  };
  problems.done();
  check.done();
  return channelState(call, permissions, options, false);
}
