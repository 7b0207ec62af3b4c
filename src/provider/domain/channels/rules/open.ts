/** Opening a channel: get or create, by id or by its members, watching and paging it; and reading without creating. */
import type { ChannelState } from "../../../../wire/entities/channel.ts";
import { createHash } from "node:crypto";
import { CHANNEL_MEMBERS_LIMIT, CHANNEL_WATCHERS_LIMIT, MAX_OFFSET } from "../../../../wire/constants.ts";
import { channelTypeProblem, makeCid } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, findChannel, memberRow, type ChannelRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { channelStates, DEFAULT_WATCHERS, NEWEST, type Wanted } from "./state.ts";
import { configOf } from "../../access/storage/access.ts";
import { channelView, memberList } from "../view/channels.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { eraseChannel } from "../storage/erase.ts";
import { leaveBehind } from "../../messages/rules/clearing.ts";
import {
  addMembers,
  requireLivingUsers,
  notInvited,
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
import { setHidden } from "../storage/members.ts";
import { insertChannel } from "../storage/change.ts";

function readWanted(check: BodyReader, body: Fields): { wanted: Wanted; watch: boolean; presence: boolean } {
  const part = (field: string, limits: readonly [number, number]): { limit: number; offset: number } => {
    const inner = check.inside(field);
    return { limit: inner.limit(limits), offset: inner.whole("offset", 0, MAX_OFFSET) ?? 0 };
  };
  const watch = check.flag("watch") ?? false;
  // Threads always come with their unread numbers: of this flag only the type is checked.
  check.flag("thread_unread_counts");
  return {
    watch,
    presence: check.flag("presence") ?? false,
    wanted: {
      state: check.flag("state") ?? true,
      page: readPaging(check.inside("messages"), "messages."),
      members: part("members", CHANNEL_MEMBERS_LIMIT),
      ...(watch || body.watchers != null ? { watchers: part("watchers", CHANNEL_WATCHERS_LIMIT) } : {}),
    },
  };
}

function answer(call: RouteCall, permissions: Permissions, wanted: Wanted, presence: boolean): ChannelState {
  const at = viewContext(call.db, call.emit, call.now(), permissions.userId);
  // A client that pages through the history has the channel's threads already.
  const threads = wanted.page.anchor === undefined;
  const [state] = channelStates(call, at, [permissions], { ...wanted, threads });
  if (presence)
    call.emit.subscribePresence(call.connectionId!, presenceOf(state!.members, permissions.userId));
  return state!;
}

/** Whoever reads in the name of nobody (a server without a user) sees the channel without personal parts. */
const viewer = (call: RouteCall): Permissions["userId"] =>
  call.caller.kind === "anonymous" ? undefined : call.caller.userId;

export function queryChannel(call: RouteCall): Reply<"queryChannel"> {
  return open(call, cidOfPath(call.path), false);
}

/** The id of a distinct channel: a hash of its sorted members, whatever their order (specification/channels.md §1). */
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
  return open(call, makeCid(type, distinctId(members)), true);
}

function open(call: RouteCall, cid: string, distinct: boolean): ChannelState {
  const check = new BodyReader(call.body);
  const { wanted, watch, presence } = readWanted(check, call.body);
  check.object("data");
  check.flag("hide_for_creator");
  const existing = findChannel(call.db, cid);
  const found = existing && { ...callerPermissions(call, existing), userId: viewer(call) };
  if (found) requireReadChannel(found);
  check.done();
  requireConnection(call, watch, presence);
  // The creator who watches hears of the making itself (specification/events.md §3, channel.created).
  const begun = watch && !existing ? call.emit.watch(call.connectionId!, cid) : undefined;
  const channel = existing ?? create(call, cid, distinct);
  const permissions = found ?? { ...callerPermissions(call, channel), userId: viewer(call) };
  if (watch) startWatching(call, permissions, begun);
  return answer(call, permissions, wanted, presence);
}

function creatorOf(call: RouteCall, data: Fields): UserRow {
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

/** May the caller make a channel of this type with this id; the type's rules, the id, the right and the team are looked at in turn. */
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

interface Beginning {
  given: ChannelData;
  members: NewMember[];
  invites: NewMember[];
}

/** The data and the first members; who makes a channel with members is one of them. */
function readBeginning(
  call: RouteCall,
  people: People,
  data: Fields,
  creator: string,
  distinct: boolean,
): Beginning {
  const check = new BodyReader(data, "data.");
  const given = readChannelData(check, data);
  const invites = readMembers(call.db, check, "invites");
  const members = notInvited(readMembers(call.db, check, "members"), invites);
  check.done();
  if (given.disabled && call.caller.kind !== "server")
    throw ApiProblem.notAllowed("Only a server may disable a channel");
  const ids = (list: NewMember[]): string[] => list.map((one) => one.id);
  requireLivingUsers(people, "data.members", ids(members));
  requireLivingUsers(people, "data.invites", ids(invites));
  if (call.caller.kind === "user") {
    for (const one of [...members, ...invites]) one.role = undefined;
    if ((members.length > 0 || distinct) && !members.some((m) => m.id === creator))
      members.unshift({ id: creator, role: undefined, custom: {} });
  }
  return { given, members, invites };
}

function insert(
  call: RouteCall,
  key: { cid: string; type: string; id: string; distinct: boolean },
  creator: string,
  given: ChannelData,
  now: number,
): ChannelRow {
  const { cid, type, id, distinct } = key;
  // A soft-deleted channel leaves its messages behind, and creating it again has to give an empty one.
  const left = leaveBehind(call, cid, now);
  if (!left) eraseChannel(call.db, cid);
  insertChannel(call.db, {
    rowid: left?.no ?? null,
    last_stamp: left?.stamp ?? 0,
    cid,
    type,
    id,
    created_at: now,
    created_by: creator,
    frozen: Number(given.frozen ?? false),
    disabled: Number(given.disabled ?? false),
    cooldown: given.cooldown ?? 0,
    is_distinct: Number(distinct),
    team: given.team ?? null,
    filter_tags: JSON.stringify(given.filterTags ?? []),
    auto_translation_enabled: Number(given.translated ?? false),
    auto_translation_language: given.language ?? null,
    data: JSON.stringify(given.custom),
  });
  return channelRow(call.db, cid);
}

function create(call: RouteCall, cid: string, distinct: boolean): ChannelRow {
  const { db, emit } = call;
  const type = call.path.type!;
  const id = cid.slice(type.length + 1);
  const data = isObject(call.body.data) ? call.body.data : {};
  requireCreate(call, type, id, data, distinct);
  const creator = creatorOf(call, data);
  const people = new People(db, emit);
  const { given, members, invites } = readBeginning(call, people, data, creator.id, distinct);
  const now = call.now();
  const channel = insert(call, { cid, type, id, distinct }, creator.id, given, now);
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

/** GET: paging as `messages_limit`, `messages_id_lt` …; never creates. */
export function getChannel(call: RouteCall): Reply<"getChannel"> {
  const cid = cidOfPath(call.path);
  const permissions = { ...callerPermissions(call, channelRow(call.db, cid)), userId: viewer(call) };
  requireReadChannel(permissions);
  const { query } = call;
  const check = new BodyReader(query);
  const messages: Fields = {};
  for (const [key, value] of Object.entries(query))
    if (key.startsWith("messages_")) messages[key.slice("messages_".length)] = value;
  const problems = new BodyReader(messages, "messages_");
  const page =
    messages.limit === undefined && Object.keys(messages).length === 0
      ? NEWEST(25)
      : readPaging(problems, "messages_");
  const wanted: Wanted = {
    state: check.flag("state") ?? true,
    page,
    members: { limit: check.limit(CHANNEL_MEMBERS_LIMIT, "members_limit"), offset: 0 },
    ...(query.watchers_limit === undefined
      ? {}
      : { watchers: { ...DEFAULT_WATCHERS, limit: check.limit(CHANNEL_WATCHERS_LIMIT, "watchers_limit") } }),
  };
  problems.done();
  check.done();
  return answer(call, permissions, wanted, false);
}
