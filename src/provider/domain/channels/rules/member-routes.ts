/** Routes of members: partial update, also of pin and archive, and the member query (specification/channels.md §11–12). */
import { channelBodies, SETTABLE_OF_MEMBERS } from "../../../../wire/bodies/channels.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import { builtInFields } from "../../../../wire/custom.ts";
import { channelTypeProblem, makeCid } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { distinctId } from "./open.ts";
import { channelRow, memberRow, type MemberRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { memberView } from "../view/channels.ts";
import { BodyReader, checkCustom, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { isChannelRole, publishMember } from "./members.ts";
import { applyPartial, firstStep, readPartial } from "../../validation/paths.ts";
import {
  requirePermission,
  requireReadable,
  requireReadChannel,
  seesShadowBan,
  callerPermissions,
} from "../../access/view/policy.ts";
import { People } from "../../users/view/users.ts";
import { MEMBER_LIST, membersPage } from "../storage/member-list.ts";
import { storeMember } from "../storage/members.ts";
import { readMatch } from "../../query/listing.ts";

const OWN_FLAGS = ["pinned", "archived"] as const;

/** The member's `pinned_at` and `archived_at` after the flags are applied; pinning un-archives, archiving un-pins. */
function pinAndArchiveTimes(
  row: MemberRow,
  flags: { pinned: boolean | undefined; archived: boolean | undefined },
  now: number,
): { pinned: number | null; archived: number | null } {
  let { pinned_at: pinned, archived_at: archived } = row;
  if (flags.pinned !== undefined) pinned = flags.pinned ? (pinned ?? now) : null;
  if (flags.archived !== undefined) archived = flags.archived ? (archived ?? now) : null;
  if (flags.pinned) archived = null;
  else if (flags.archived) pinned = null;
  return { pinned, archived };
}

/** Only the member may set `pinned` and `archived`. */
export function updateMemberPartial(call: RouteCall): Reply<"updateMemberPartial"> {
  const { db, emit } = call;
  const channel = channelRow(db, cidOfPath(call.path));
  const me = call.caller.kind === "server" ? undefined : actor(call);
  const permissions = callerPermissions(call, channel);
  requireReadChannel(permissions);
  // The second form of the route names the member in the query (specification/channels.md §11).
  const userId = call.path.user_id ?? (call.query.user_id || call.caller.userId);
  if (!userId) throw invalidField("user_id", "is required");
  const row = memberRow(db, channel.cid, userId);
  if (!row) throw ApiProblem.notFound(`User ${userId} is not a member of channel ${channel.cid}`);
  const check = new BodyReader(call.body);
  const partial = readPartial(check);
  const set = new BodyReader(partial.set, "set.");
  const flags = { pinned: set.flag("pinned"), archived: set.flag("archived") };
  for (const path of [...Object.keys(partial.set), ...partial.unset]) {
    const key = firstStep(path);
    if (builtInFields("member").has(key) && !SETTABLE_OF_MEMBERS.has(key))
      check.fail(path, "cannot be changed");
  }
  const role = set.text("channel_role", 64);
  if (role !== undefined && !isChannelRole(db, role)) set.fail("channel_role", "is not a role of members");
  set.done();
  check.done();
  const own = me?.id === userId;
  if (me && !own) {
    if (OWN_FLAGS.some((key) => flags[key] !== undefined || partial.unset.includes(key)))
      throw ApiProblem.notAllowed("Only the member itself may pin or archive the channel");
    requirePermission(permissions, "update-channel-members", "change other members");
  }
  if (me && (role !== undefined || partial.unset.includes("channel_role")))
    throw ApiProblem.notAllowed("Only a server may change channel roles");
  for (const key of OWN_FLAGS) if (partial.unset.includes(key)) flags[key] = false;

  const custom = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).filter(([path]) => !builtInFields("member").has(firstStep(path))),
    );
  const data = applyPartial(JSON.parse(row.data) as Fields, {
    set: custom(partial.set),
    unset: partial.unset.filter((path) => !builtInFields("member").has(firstStep(path))),
  });
  checkCustom(set, data, CUSTOM_DATA_LIMIT);
  set.done();
  const now = call.now();
  const { pinned, archived } = pinAndArchiveTimes(row, flags, now);
  storeMember(db, {
    ...row,
    pinned_at: pinned,
    archived_at: archived,
    channel_role: role ?? row.channel_role,
    data: JSON.stringify(data),
    updated_at: now,
  });
  const people = new People(db, emit);
  const after = memberRow(db, channel.cid, userId)!;
  publishMember(call, people, channel, after);
  return { channel_member: memberView(people, after, channel.created_by) };
}

export function queryMembers(call: RouteCall): Reply<"queryMembers"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const fields = check.read(channelBodies.queryMembers);
  const { type, id, limit, offset } = fields;
  const fault = channelTypeProblem(type);
  if (fault && type) check.fail("type", fault);
  const memberIds = (fields.members ?? []).map((member) => (isObject(member) ? member.user_id : member));
  if (id === undefined && memberIds.length === 0) check.fail("id", "or members is required");
  const match = readMatch(check, body, MEMBER_LIST);
  check.done();
  if (!memberIds.every((memberId) => typeof memberId === "string"))
    throw invalidField("members", "must be a list of user ids");
  const cid = makeCid(type, id ?? distinctId(memberIds as string[]));
  const permissions = requireReadable(call, cid);
  requirePermission(permissions, "read-channel-members", "read the members");
  const rows = membersPage(db, cid, fields, { ...match, limit, offset });
  const people = new People(db, call.emit);
  people.load(rows.map((row) => row.user_id));
  return {
    members: rows.map((row) =>
      memberView(people, row, permissions.channel.created_by, seesShadowBan(permissions, row.user_id)),
    ),
  };
}
