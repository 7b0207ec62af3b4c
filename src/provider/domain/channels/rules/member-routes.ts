/** Routes of members: partial update with pin and archive, and the member query (specification/channels.md §11–12). */
import { channelBodies } from "../../../../wire/bodies/channels.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import { BUILT_IN } from "../../../../wire/custom.ts";
import { channelTypeFault, makeCid } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting.ts";
import { distinctId } from "./open.ts";
import { channelRow, cidOfPath, memberRow, type MemberRow } from "../storage/rows.ts";
import { memberView } from "../view/channels.ts";
import { BodyReader, checkCustom, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { looked } from "../../../store/budget.ts";
import { compileFilter, type FieldLookup } from "../../query/filter.ts";
import {
  boolField,
  customField,
  EQUAL,
  flagField,
  textField,
  timeField,
  type Field,
} from "../../query/filter-fields.ts";
import { isChannelRole, publishMember } from "./members.ts";
import { applyPartial, firstStep, readPartial } from "../../validation/paths.ts";
import {
  requirePermission,
  requireReadable,
  requireReadChannel,
  seesShadowBan,
  standingOf,
} from "../../access/view/policy.ts";
import { named } from "../../query/listing.ts";
import { compileSort } from "../../query/sort.ts";
import { People } from "../../users/view/users.ts";

const OWN_FLAGS = ["pinned", "archived"] as const;

/** When the channel was pinned and archived once the flags count; the later mark takes the other away. */
function marksAfter(
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

/** `set.pinned` and `set.archived` are the member's own; pinning un-archives and archiving un-pins. */
export function updateMemberPartial(call: RouteCall): Reply<"updateMemberPartial"> {
  const { db, emit } = call;
  const channel = channelRow(db, cidOfPath(call));
  const me = call.caller.kind === "server" ? undefined : actor(call);
  const s = standingOf(call, channel);
  requireReadChannel(s);
  // the second form of the route names the member in the query (specification/channels.md §11)
  const userId = call.path.user_id ?? (call.query.user_id || call.caller.userId);
  if (!userId) throw invalidField("user_id", "is required");
  const row = memberRow(db, channel.cid, userId);
  if (!row) throw new ApiProblem(16, `User ${userId} is not a member of channel ${channel.cid}`);
  const check = new BodyReader(call.body);
  const partial = readPartial(check);
  const set = new BodyReader(partial.set, "set.");
  const flags = { pinned: set.flag("pinned"), archived: set.flag("archived") };
  for (const path of [...Object.keys(partial.set), ...partial.unset]) {
    const key = firstStep(path);
    if (BUILT_IN.member.has(key) && !["pinned", "archived", "channel_role"].includes(key))
      check.fail(path, "cannot be changed");
  }
  const role = set.text("channel_role", 64);
  if (role !== undefined && !isChannelRole(db, role)) set.fail("channel_role", "is not a role of members");
  set.done();
  check.done();
  const own = me?.id === userId;
  if (me && !own) {
    if (OWN_FLAGS.some((key) => flags[key] !== undefined || partial.unset.includes(key)))
      throw new ApiProblem(17, "Only the member itself may pin or archive the channel");
    requirePermission(s, "update-channel-members", "change other members");
  }
  if (me && (role !== undefined || partial.unset.includes("channel_role")))
    throw new ApiProblem(17, "Only a server may change channel roles");
  for (const key of OWN_FLAGS) if (partial.unset.includes(key)) flags[key] = false;

  const custom = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([path]) => !BUILT_IN.member.has(firstStep(path))));
  const data = applyPartial(JSON.parse(row.data) as Fields, {
    set: custom(partial.set),
    unset: partial.unset.filter((path) => !BUILT_IN.member.has(firstStep(path))),
  });
  checkCustom(set, data, CUSTOM_DATA_LIMIT);
  set.done();
  const now = call.now();
  const { pinned, archived } = marksAfter(row, flags, now);
  db.run(
    `UPDATE members SET pinned_at = ?, archived_at = ?, channel_role = ?, data = ?, updated_at = ?
     WHERE cid = ? AND user_id = ?`,
    pinned,
    archived,
    role ?? row.channel_role,
    JSON.stringify(data),
    now,
    channel.cid,
    userId,
  );
  const people = new People(db, emit);
  const after = memberRow(db, channel.cid, userId)!;
  publishMember(call, people, channel, after);
  return { channel_member: memberView(people, after, channel.created_by) };
}

const invited: Field = {
  ops: ["$eq"],
  compile(_op, arg) {
    const text: Record<string, string> = {
      pending: "m.invited = 1 AND m.invite_accepted_at IS NULL AND m.invite_rejected_at IS NULL",
      accepted: "m.invited = 1 AND m.invite_accepted_at IS NOT NULL",
      rejected: "m.invited = 1 AND m.invite_accepted_at IS NULL AND m.invite_rejected_at IS NOT NULL",
    };
    return typeof arg === "string" && Object.hasOwn(text, arg)
      ? { text: text[arg]!, values: [] }
      : "$eq takes pending, accepted or rejected";
  },
};
const FIELDS: Record<string, Field> = {
  id: textField("m.user_id"),
  user_id: textField("m.user_id"),
  cid: textField("m.cid", ["$eq"]),
  name: textField("u.name", [...EQUAL, "$autocomplete", "$q"]),
  channel_role: textField("m.channel_role"),
  banned: boolField("m.banned"),
  joined: flagField({ text: "m.invited = 0 OR m.invite_accepted_at IS NOT NULL", values: [] }),
  invite: invited,
  created_at: timeField("m.created_at"),
  updated_at: timeField("m.updated_at"),
  last_active: timeField("u.last_active"),
};
const fieldOf: FieldLookup = (name) => {
  if (Object.hasOwn(FIELDS, name)) return FIELDS[name];
  return name.startsWith("user.") ? customField("u.data", name.slice(5)) : customField("m.data", name);
};
const SORTS: Record<string, string> = {
  created_at: "m.created_at",
  updated_at: "m.updated_at",
  user_id: "m.user_id",
  name: "u.name",
  last_active: "u.last_active",
  channel_role: "m.channel_role",
};
const CURSORS = {
  user_id_lt: "m.user_id <",
  user_id_lte: "m.user_id <=",
  user_id_gt: "m.user_id >",
  user_id_gte: "m.user_id >=",
  created_at_before: "m.created_at <",
  created_at_before_or_equal: "m.created_at <=",
  created_at_after: "m.created_at >",
  created_at_after_or_equal: "m.created_at >=",
} as const;

export function queryMembers(call: RouteCall): Reply<"queryMembers"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const given = check.read(channelBodies.queryMembers);
  const { type, id, limit, offset } = given;
  const fault = channelTypeFault(type);
  if (fault && type) check.fail("type", fault);
  const listed = (given.members ?? []).map((one) => (isObject(one) ? one.user_id : one));
  if (id === undefined && listed.length === 0) check.fail("id", "or members is required");
  const where = compileFilter(body.filter_conditions, fieldOf, check);
  const order = compileSort(body.sort, named(SORTS), check, {
    fallback: "m.created_at ASC",
    tie: "m.user_id",
    custom: "m.data",
  });
  const cursors = Object.entries(CURSORS).flatMap(([key, test]) => {
    const value = given[key as keyof typeof CURSORS];
    return value === undefined ? [] : [{ test, value }];
  });
  check.done();
  if (!listed.every((one) => typeof one === "string"))
    throw invalidField("members", "must be a list of user ids");
  const cid = makeCid(type, id ?? distinctId(listed as string[]));
  const s = requireReadable(call, cid);
  requirePermission(s, "read-channel-members", "read the members");
  const rows = db.raw
    .prepare(
      `SELECT m.* FROM members m JOIN users u ON u.id = m.user_id WHERE m.cid = ? AND ${looked("m.created_at")} AND (${where.text})
       ${cursors.map(({ test }) => `AND ${test} ?`).join(" ")} ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(
      cid,
      ...where.values,
      ...cursors.map(({ value }) => value),
      ...order.values,
      limit,
      offset,
    ) as unknown as MemberRow[];
  const people = new People(db, call.emit);
  people.load(rows.map((row) => row.user_id));
  return {
    members: rows.map((row) => memberView(people, row, s.channel.created_by, seesShadowBan(s, row.user_id))),
  };
}
