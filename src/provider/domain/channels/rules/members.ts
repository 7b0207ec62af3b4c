/** Reads, adds and removes members, with the events (specification/channels.md §7–8, specification/events.md §3). */
import { leaveThreads } from "../../threads/storage/rows.ts";
import { CUSTOM_DATA_LIMIT, MEMBERS_PER_CALL } from "../../../../wire/constants.ts";
import { customOf } from "../../../../wire/custom.ts";
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import { channelView, memberView } from "../view/channels.ts";
import { memberRow, type ChannelRow, type MemberRow } from "../storage/rows.ts";
import { firstFew, thereIsNo } from "../../../../text/words.ts";
import { checkCustom, invalidField, isObject, type BodyReader, type Fields } from "../../validation/check.ts";
import { endLocation } from "../../locations/rules/end.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { sharesTeam, teamsOf } from "../../access/storage/teams.ts";
import { unreadTotals } from "../../reads/storage/unread.ts";
import { blocks } from "../../users/storage/blocks.ts";
import type { People } from "../../users/view/users.ts";
import { liveMessageIds } from "../../locations/storage/rows.ts";
import { removeMember, insertMember } from "../storage/members.ts";
import { changeMemberCount } from "../storage/change.ts";
import { insertRead, removeRead } from "../../reads/storage/reads.ts";

export interface NewMember {
  id: string;
  role: string | undefined;
  custom: Fields;
}

/** Whether a member can hold the role: a built-in channel role or a custom one. */
export const isChannelRole = (db: Database, role: unknown): role is string =>
  typeof role === "string" && accessOf(db).channelRoles.has(role);

/** Reads a list of ids or `{user_id, channel_role?, …custom}`, without duplicates. */
export function readMembers(db: Database, check: BodyReader, field: string): NewMember[] {
  const list = check.list(field, MEMBERS_PER_CALL) ?? [];
  const found = new Map<string, NewMember>();
  for (const [i, entry] of list.entries()) {
    const source = isObject(entry) ? entry : { user_id: entry };
    const inner = isObject(source.user) ? source.user.id : undefined;
    const id = source.user_id ?? inner;
    const role = source.channel_role ?? undefined;
    if (typeof id !== "string" || id === "") check.fail(`${field}.${i}`, "must be a user id");
    else if (role !== undefined && !isChannelRole(db, role))
      check.fail(`${field}.${i}.channel_role`, "is not a role of members");
    else {
      const custom = customOf("member", source);
      checkCustom(check, custom, CUSTOM_DATA_LIMIT, `${field}.${i}`);
      found.set(id, { id, role, custom });
    }
  }
  return [...found.values()];
}

/** Leaves out users who are invited in the same call: they become members when they accept. */
export function withoutInvited(members: NewMember[], invites: readonly NewMember[]): NewMember[] {
  const invited = new Set(invites.map(({ id }) => id));
  return members.filter(({ id }) => !invited.has(id));
}

/** Those of `ids` who are neither members nor in `joining`, as new members: changing somebody's role makes them a member. */
export function nonMembersAmong(
  db: Database,
  channel: ChannelRow,
  ids: readonly string[],
  newMembers: readonly NewMember[],
): NewMember[] {
  const newIds = new Set(newMembers.map(({ id }) => id));
  return [...new Set(ids)]
    .filter((id) => !newIds.has(id) && !memberRow(db, channel.cid, id))
    .map((id) => ({ id, role: undefined, custom: {} }));
}

/** Throws code 4 that lists all unknown users. */
export function requireUsers(people: People, field: string, ids: string[]): void {
  people.load(ids);
  const unknown = ids.filter((id) => !people.has(id));
  if (unknown.length > 0)
    throw invalidField(field, `unknown users: ${unknown.join(", ")}`, thereIsNo("user", unknown));
}

/** Throws code 4 for unknown and deleted users. */
export function requireUndeletedUsers(people: People, field: string, ids: string[]): void {
  requireUsers(people, field, ids);
  const deleted = ids.filter((id) => people.get(id).deleted_at !== undefined);
  if (deleted.length > 0)
    throw invalidField(
      field,
      `deleted users: ${deleted.join(", ")}`,
      `Deleted: ${firstFew(deleted, ", ", 10)}`,
    );
}

interface AddOptions {
  invited?: boolean;
  /** Messages up to this time stay hidden from the new members. */
  hideBefore?: number | null;
  now: number;
}

/** Inserts members and returns the new rows; skips existing members and users who blocked the caller (BL-5). */
export function addMembers(
  call: RouteCall,
  channel: ChannelRow,
  list: NewMember[],
  { invited = false, hideBefore = null, now }: AddOptions,
): MemberRow[] {
  const { db } = call;
  const callerId = call.caller.userId;
  const added: MemberRow[] = [];
  if (call.caller.kind === "user")
    for (const { id } of list) {
      const teams = teamsOf(db, id);
      if (teams && !sharesTeam(teams, channel.team))
        throw ApiProblem.notAllowed(`User ${id} does not share the team of channel ${channel.cid}`);
    }
  for (const { id, role, custom } of list) {
    if (
      memberRow(db, channel.cid, id) ||
      (callerId !== undefined && blocks.has(db, { user_id: id, blocked_id: callerId }))
    )
      continue;
    insertMember(db, {
      cid: channel.cid,
      user_id: id,
      channel_role: role ?? "channel_member",
      created_at: now,
      invited: Number(invited),
      hide_before: hideBefore,
      data: JSON.stringify(custom),
    });
    insertRead(db, channel.cid, id, Math.max(now, channel.last_stamp));
    added.push(memberRow(db, channel.cid, id)!);
  }
  if (added.length > 0) {
    changeMemberCount(db, channel.cid, added.length);
    channel.member_count += added.length;
  }
  return added;
}

/** Sends `member.added` to watchers and a notification to each new member. */
export function publishAddedMembers(
  call: RouteCall,
  people: People,
  channel: ChannelRow,
  added: MemberRow[],
): void {
  const { cid } = channel;
  people.load(added.map((row) => row.user_id));
  const view = channelView(people, channel);
  for (const row of added) {
    const member = memberView(people, row, channel.created_by);
    call.emit.watchers(cid, { type: "member.added", user: people.get(row.user_id), member });
    call.emit.user(
      row.user_id,
      row.invited
        ? { type: "notification.invited", channel: view, member, user: people.get(row.user_id) }
        : {
            type: "notification.added_to_channel",
            channel: view,
            member,
            user: people.get(row.user_id),
            ...unreadTotals(call.db, row.user_id),
          },
      { cid, unlessWatching: true },
    );
  }
}

export function publishMember(call: RouteCall, people: People, channel: ChannelRow, row: MemberRow): void {
  call.emit.watchers(channel.cid, {
    type: "member.updated",
    user: people.get(row.user_id),
    member: memberView(people, row, channel.created_by),
  });
}

/** Removes members with their read state and live locations, and ends watching unless `mayStay`; skips non-members. */
export function removeMembers(
  call: RouteCall,
  people: People,
  permissions: Permissions,
  ids: string[],
  now: number,
  mayStay: (userId: string) => boolean,
): void {
  const { db, emit } = call;
  const { channel } = permissions;
  const { cid } = channel;
  people.load(ids);
  for (const id of new Set(ids)) {
    const row = memberRow(db, cid, id);
    if (!row) continue;
    for (const messageId of liveMessageIds(db, id, cid, now)) endLocation(call, messageId, now);
    removeMember(db, cid, id);
    removeRead(db, cid, id);
    leaveThreads(db, cid, id, now);
    changeMemberCount(db, cid, -1);
    channel.member_count -= 1;
    const member = memberView(people, row, channel.created_by);
    const user = people.get(id);
    emit.watchers(cid, { type: "member.removed", user, member });
    emit.user(
      id,
      { type: "notification.removed_from_channel", channel: channelView(people, channel), member, user },
      { cid, unlessWatching: true },
    );
    if (!mayStay(id)) emit.endWatch(cid, id);
  }
}
