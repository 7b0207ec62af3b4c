/** Adding, changing and removing members, each with its events (specification/channels.md §7–8, specification/events.md §3). */
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
import { findBlock } from "../../users/storage/blocks.ts";
import type { People } from "../../users/view/users.ts";
import { liveMessageIds } from "../../locations/storage/rows.ts";
import { removeMember, insertMember } from "../storage/members.ts";
import { moveMemberCount } from "../storage/change.ts";
import { insertRead, removeRead } from "../../reads/storage/reads.ts";

export interface NewMember {
  id: string;
  role: string | undefined;
  custom: Fields;
}

/** A role a member can hold: a built-in one of channels, or one of the app. */
export const isChannelRole = (db: Database, role: unknown): role is string =>
  typeof role === "string" && accessOf(db).channelRoles.has(role);

/** A list of ids or `{user_id, channel_role?, …custom}`; the same id twice counts once. */
export function readMembers(db: Database, check: BodyReader, field: string): NewMember[] {
  const list = check.list(field, MEMBERS_PER_CALL) ?? [];
  const found = new Map<string, NewMember>();
  for (const [i, one] of list.entries()) {
    const source = isObject(one) ? one : { user_id: one };
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

/** Who is invited in the same call has yet to accept, so the invitation counts and not the membership. */
export function notInvited(members: NewMember[], invites: readonly NewMember[]): NewMember[] {
  const invited = new Set(invites.map(({ id }) => id));
  return members.filter(({ id }) => !invited.has(id));
}

/** Who gets or loses the rank of a moderator without being a member, and is not about to become one: a member from now on. */
export function nonMembersAmong(
  db: Database,
  channel: ChannelRow,
  ids: readonly string[],
  coming: readonly NewMember[],
): NewMember[] {
  const known = new Set(coming.map(({ id }) => id));
  return [...new Set(ids)]
    .filter((id) => !known.has(id) && !memberRow(db, channel.cid, id))
    .map((id) => ({ id, role: undefined, custom: {} }));
}

/** Unknown users → code 4; the field's problem names all of them. */
export function requireUsers(people: People, field: string, ids: string[]): void {
  people.load(ids);
  const unknown = ids.filter((id) => !people.has(id));
  if (unknown.length > 0)
    throw invalidField(field, `unknown users: ${unknown.join(", ")}`, thereIsNo("user", unknown));
}

/** Like `requireUsers`, and none of them deleted: who comes into a channel must be there. */
export function requireLivingUsers(people: People, field: string, ids: string[]): void {
  requireUsers(people, field, ids);
  const gone = ids.filter((id) => people.get(id).deleted_at !== undefined);
  if (gone.length > 0)
    throw invalidField(field, `deleted users: ${gone.join(", ")}`, `Deleted: ${firstFew(gone, ", ", 10)}`);
}

interface AddOptions {
  invited?: boolean;
  /** Messages up to this moment stay hidden from them. */
  hideBefore?: number | null;
  now: number;
}

/** Makes the rows; who is a member already stays as it is, and who has blocked the caller is left out (BL-5). Answers the new ones. */
export function addMembers(
  call: RouteCall,
  channel: ChannelRow,
  list: NewMember[],
  { invited = false, hideBefore = null, now }: AddOptions,
): MemberRow[] {
  const { db } = call;
  const by = call.caller.userId;
  const added: MemberRow[] = [];
  if (call.caller.kind === "user")
    for (const { id } of list) {
      const teams = teamsOf(db, id);
      if (teams && !sharesTeam(teams, channel.team))
        throw ApiProblem.notAllowed(`User ${id} does not share the team of channel ${channel.cid}`);
    }
  for (const { id, role, custom } of list) {
    if (memberRow(db, channel.cid, id) || (by !== undefined && findBlock(db, id, by))) continue;
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
    moveMemberCount(db, channel.cid, added.length);
    channel.member_count += added.length;
  }
  return added;
}

/** `member.added` to watchers, then the news to each of the new ones. */
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

/** Ends the membership, the watching where only members may read, and what hangs on it. Not members → left out. */
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
    moveMemberCount(db, cid, -1);
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
