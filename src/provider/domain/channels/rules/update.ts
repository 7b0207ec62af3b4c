/** POST of a channel: changes data, members, roles and invites in one call (specification/channels.md §7–8). */
import { COOLDOWN_MAX_SECONDS, MEMBERS_PER_CALL } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor, maybeActor } from "../../users/rules/acting-user.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, isPendingRow, memberRow, type ChannelRow, type MemberRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { channelFor, channelView, memberList, memberView } from "../view/channels.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import {
  addMembers,
  requireUndeletedUsers,
  withoutInvited,
  readMembers,
  removeMembers,
  nonMembersAmong,
  publishAddedMembers,
  publishMember,
  type NewMember,
} from "./members.ts";
import { firstFew } from "../../../../text/words.ts";
import { systemMessage } from "../../posting/rules/send.ts";
import {
  requirePermission,
  can,
  requireReadChannel,
  callerPermissions,
  userPermissions,
  type Permissions,
} from "../../access/view/policy.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { requireDataRights, requireTeamRight, writeChannel } from "./write.ts";
import { setChannelRole, setInviteAnswered } from "../storage/members.ts";

const MAX_TAGS = 10;

interface Update {
  data: ChannelData | undefined;
  addedTags: string[];
  removedTags: string[];
  cooldown: number | undefined;
  newMembers: NewMember[];
  invites: NewMember[];
  removedIds: string[];
  promotedIds: string[];
  demotedIds: string[];
  roleAssignments: NewMember[];
  accept: boolean;
  reject: boolean;
  hideBefore: number | undefined;
  hideHistory: boolean;
  message: Fields | undefined;
}

function readUpdate({ db, body, now }: RouteCall, channel: ChannelRow): Update {
  const check = new BodyReader(body);
  const data = check.object("data");
  const inner = check.inside("data");
  const channelData = data ? readChannelData(inner, data) : undefined;
  const invites = readMembers(db, check, "invites");
  const added = withoutInvited(readMembers(db, check, "add_members"), invites);
  const removedIds = check.texts("remove_members", MEMBERS_PER_CALL) ?? [];
  const promotedIds = check.texts("add_moderators", MEMBERS_PER_CALL) ?? [];
  const demotedIds = check.texts("demote_moderators", MEMBERS_PER_CALL) ?? [];
  const roleAssignments = readMembers(db, check, "assign_roles");
  const nonMembers = nonMembersAmong(db, channel, [...promotedIds, ...demotedIds], [...added, ...invites]);
  const update: Update = {
    data: channelData,
    newMembers: [...added, ...nonMembers],
    invites,
    removedIds,
    promotedIds,
    demotedIds,
    roleAssignments,
    addedTags: check.texts("add_filter_tags", MAX_TAGS) ?? [],
    removedTags: check.texts("remove_filter_tags", MAX_TAGS) ?? [],
    cooldown: check.whole("cooldown", 0, COOLDOWN_MAX_SECONDS),
    accept: check.flag("accept_invite") ?? false,
    reject: check.flag("reject_invite") ?? false,
    hideBefore: check.date("hide_history_before"),
    hideHistory: check.flag("hide_history") ?? false,
    message: undefined,
  };
  if (update.hideBefore !== undefined && update.hideBefore > now())
    check.fail("hide_history_before", "must be in the past");
  check.flag("skip_push");
  update.message = check.object("message");
  if (update.accept && update.reject)
    check.fail("reject_invite", "cannot be given together with accept_invite");
  check.done();
  return update;
}

/** Throws unless the caller may change members, roles and invites as requested, and send the message. */
function requireMemberChanges(permissions: Permissions, update: Update): void {
  const {
    newMembers,
    invites,
    removedIds,
    promotedIds,
    demotedIds,
    roleAssignments,
    accept,
    reject,
    message,
  } = update;
  const isLeaving = removedIds.length === 1 && removedIds[0] === permissions.userId;
  const isJoining = newMembers.length === 1 && newMembers[0]!.id === permissions.userId;
  if (newMembers.length > 0 && !(isJoining && can(permissions, "add-own-channel-membership")))
    requirePermission(permissions, "update-channel-members", "add members");
  if (invites.length > 0) requirePermission(permissions, "update-channel-members", "invite people");
  if (removedIds.length > 0 && !(isLeaving && can(permissions, "remove-own-channel-membership")))
    requirePermission(permissions, "update-channel-members", "remove members");
  if (
    (promotedIds.length > 0 || demotedIds.length > 0 || roleAssignments.length > 0) &&
    !permissions.unrestricted
  )
    throw ApiProblem.notAllowed("Only a server may change channel roles");
  if (
    [...newMembers, ...invites].some((member) => (member.role ?? "channel_member") !== "channel_member") &&
    !permissions.unrestricted
  )
    throw ApiProblem.notAllowed("Only a server may give channel roles");
  if (permissions.channel.is_distinct && (newMembers.length > 0 || invites.length > 0))
    throw invalidField(
      "add_members",
      "is not possible: a channel made of its members takes no others",
      "A channel made of its members takes no others",
    );
  if (message && !accept && !reject && !isLeaving && !isJoining && !permissions.unrestricted)
    requirePermission(permissions, "create-message", "send messages");
}

function requireDataChanges(call: RouteCall, permissions: Permissions, update: Update): void {
  const { channel } = permissions;
  const { data, cooldown, addedTags, removedTags } = update;
  if (data) {
    requireDataRights(permissions, {
      // Clients send the whole channel back; an unchanged value needs no permission.
      frozen: Number(data.frozen ?? channel.frozen) !== channel.frozen,
      cooldown: (data.cooldown ?? cooldown ?? channel.cooldown) !== channel.cooldown,
      disabled: Number(data.disabled ?? channel.disabled) !== channel.disabled,
      rest: JSON.stringify(data.custom) !== channel.data || otherSettings(data) !== undefined,
    });
    requireTeamRight(call, channel, data.team ?? channel.team);
  } else if (cooldown !== undefined && cooldown !== channel.cooldown)
    requirePermission(permissions, "update-channel-cooldown", "change slow mode", false);
  if (addedTags.length + removedTags.length > 0)
    requirePermission(permissions, "update-channel", "change the tags");
}

/** The changed columns; missing built-in keys are kept, custom fields are replaced as a whole. */
function changedColumns(
  channel: ChannelRow,
  { data, cooldown, addedTags, removedTags }: Update,
): Partial<ChannelRow> {
  const tags = new Set(data?.filterTags ?? (JSON.parse(channel.filter_tags) as string[]));
  for (const tag of addedTags) tags.add(tag);
  for (const tag of removedTags) tags.delete(tag);
  if (tags.size > MAX_TAGS) throw invalidField("filter_tags", `must hold at most ${MAX_TAGS} entries`);
  return {
    filter_tags: JSON.stringify([...tags]),
    cooldown: data?.cooldown ?? cooldown ?? channel.cooldown,
    ...(data
      ? {
          data: JSON.stringify(data.custom),
          frozen: Number(data.frozen ?? channel.frozen === 1),
          disabled: Number(data.disabled ?? channel.disabled === 1),
          team: data.team ?? channel.team,
          auto_translation_enabled: Number(data.autoTranslation ?? channel.auto_translation_enabled === 1),
          auto_translation_language: data.language ?? channel.auto_translation_language,
        }
      : {}),
  };
}

/** Adds and invites members; returns the new rows. */
function addAndInvite(
  call: RouteCall,
  people: People,
  channel: ChannelRow,
  update: Update,
  now: number,
): MemberRow[] {
  const { promotedIds, demotedIds, newMembers, invites, roleAssignments, hideBefore, hideHistory } = update;
  const ids = (members: NewMember[]): string[] => members.map(({ id }) => id);
  requireUndeletedUsers(people, "add_moderators", promotedIds);
  requireUndeletedUsers(people, "demote_moderators", demotedIds);
  requireUndeletedUsers(people, "add_members", ids(newMembers));
  requireUndeletedUsers(people, "invites", ids(invites));
  const historyHiddenUntil = hideBefore ?? (hideHistory ? Math.max(now, channel.last_stamp) : null);
  const joined = [
    ...addMembers(call, channel, newMembers, { now, hideBefore: historyHiddenUntil }),
    ...addMembers(call, channel, invites, { now, invited: true }),
  ];
  const unknown = roleAssignments.filter((member) => !memberRow(call.db, channel.cid, member.id));
  if (unknown.length > 0)
    throw invalidField(
      "assign_roles",
      `names people who are not members: ${ids(unknown).join(", ")}`,
      `Not members of this channel: ${firstFew(ids(unknown), ", ", 10)}`,
    );
  return joined;
}

function changeRoles(
  call: RouteCall,
  people: People,
  channel: ChannelRow,
  { promotedIds, demotedIds, roleAssignments }: Update,
  now: number,
): void {
  const roles = new Map<string, string>([
    ...promotedIds.map((id) => [id, "channel_moderator"] as const),
    ...demotedIds.map((id) => [id, "channel_member"] as const),
    ...roleAssignments.map((member) => [member.id, member.role ?? "channel_member"] as const),
  ]);
  for (const [id, role] of roles) {
    setChannelRole(call.db, channel.cid, id, role, now);
    publishMember(call, people, channel, memberRow(call.db, channel.cid, id)!);
  }
}

export function updateChannel(call: RouteCall): Reply<"updateChannel"> {
  const { db, emit } = call;
  const channel = channelRow(db, cidOfPath(call.path));
  const me = maybeActor(call);
  const permissions = callerPermissions(call, channel);
  requireReadChannel(permissions);
  const update = readUpdate(call, channel);
  const { accept, reject, removedIds, message } = update;
  const people = new People(db, emit);
  const now = call.now();
  requireMemberChanges(permissions, update);
  requireDataChanges(call, permissions, update);
  const changed = writeChannel(call, channel, changedColumns(channel, update), now);
  const joined = addAndInvite(call, people, channel, update, now);
  const type = accept || reject ? "regular" : "system";
  const sent =
    message && systemMessage(call, permissions, me ?? actor(call), message, { emitsEvents: !changed, type });
  if (changed)
    emit.watchers(channel.cid, {
      type: "channel.updated",
      ...(me ? { user: people.get(me.id) } : {}),
      channel: channelView(people, channel),
      ...(sent ? { message: sent } : {}),
    });
  publishAddedMembers(call, people, channel, joined);
  changeRoles(call, people, channel, update, now);
  if (accept || reject) answerInvite(call, people, channel, me ?? actor(call), accept, now);
  if (removedIds.length > 0)
    removeMembers(call, people, permissions, removedIds, now, (id) => canStillRead(call, channel, id));
  const updatedPermissions = callerPermissions(call, channelRow(db, channel.cid));
  return {
    channel: channelFor(db, people, updatedPermissions, now),
    members: memberList(db, people, channel),
    ...(sent ? { message: sent } : {}),
  };
}

const otherSettings = (data: ChannelData): unknown =>
  data.filterTags ?? data.team ?? data.autoTranslation ?? data.language;

/** Whether a user who left can still read the channel: as its creator, or because its type is open. */
function canStillRead(call: RouteCall, channel: ChannelRow, userId: string): boolean {
  return can(userPermissions(call.db, userId, channel, null), "read-channel");
}

function answerInvite(
  call: RouteCall,
  people: People,
  channel: ChannelRow,
  me: UserRow,
  accept: boolean,
  now: number,
): void {
  const row = memberRow(call.db, channel.cid, me.id);
  if (!row || !isPendingRow(row))
    throw invalidField(
      accept ? "accept_invite" : "reject_invite",
      "is not possible: there is no open invite for you",
      "There is no open invite for you",
    );
  setInviteAnswered(call.db, channel.cid, me.id, accept, now);
  const after = memberRow(call.db, channel.cid, me.id)!;
  publishMember(call, people, channel, after);
  call.emit.user(
    me.id,
    {
      type: accept ? "notification.invite_accepted" : "notification.invite_rejected",
      channel: channelView(people, channel),
      member: memberView(people, after, channel.created_by),
      user: people.get(me.id),
    },
    { cid: channel.cid, unlessWatching: true },
  );
}
