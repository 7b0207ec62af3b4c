/** Changing a channel in whole: data, members, roles and invites in one call (specification/channels.md §7–8). */
import { COOLDOWN_MAX_SECONDS, MEMBERS_PER_CALL } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor, maybeActor } from "../../users/rules/acting.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, isPendingRow, memberRow, type ChannelRow, type MemberRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { channelFor, channelView, memberList, memberView } from "../view/channels.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import {
  addMembers,
  requireLivingUsers,
  notInvited,
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
import { allowData, allowTeam, writeChannel } from "./write.ts";
import { setChannelRole, setInviteAnswered } from "../storage/members.ts";

const TAGS = 10;

/** What the body of an update asks for. */
interface Update {
  given: ChannelData | undefined;
  tagsAdded: string[];
  tagsGone: string[];
  cooldown: number | undefined;
  adding: NewMember[];
  inviting: NewMember[];
  removing: string[];
  promoting: string[];
  demoting: string[];
  assigning: NewMember[];
  accept: boolean;
  reject: boolean;
  hideBefore: number | undefined;
  hideHistory: boolean;
  message: Fields | undefined;
}

function readUpdate({ db, body }: RouteCall, channel: ChannelRow): Update {
  const check = new BodyReader(body);
  const data = check.object("data");
  const inner = check.inside("data");
  const given = data ? readChannelData(inner, data) : undefined;
  const inviting = readMembers(db, check, "invites");
  const named = notInvited(readMembers(db, check, "add_members"), inviting);
  const removing = check.texts("remove_members", MEMBERS_PER_CALL) ?? [];
  const promoting = check.texts("add_moderators", MEMBERS_PER_CALL) ?? [];
  const demoting = check.texts("demote_moderators", MEMBERS_PER_CALL) ?? [];
  const assigning = readMembers(db, check, "assign_roles");
  const strangers = nonMembersAmong(db, channel, [...promoting, ...demoting], [...named, ...inviting]);
  const update: Update = {
    given,
    adding: [...named, ...strangers],
    inviting,
    removing,
    promoting,
    demoting,
    assigning,
    tagsAdded: check.texts("add_filter_tags", TAGS) ?? [],
    tagsGone: check.texts("remove_filter_tags", TAGS) ?? [],
    cooldown: check.whole("cooldown", 0, COOLDOWN_MAX_SECONDS),
    accept: check.flag("accept_invite") ?? false,
    reject: check.flag("reject_invite") ?? false,
    hideBefore: check.date("hide_history_before"),
    hideHistory: check.flag("hide_history") ?? false,
    message: undefined,
  };
  check.flag("skip_push");
  update.message = check.object("message");
  if (update.accept && update.reject)
    check.fail("reject_invite", "cannot be given together with accept_invite");
  check.done();
  return update;
}

/** Who may change the members, their roles, and say something with it. */
function requireMembership(permissions: Permissions, update: Update): void {
  const { adding, inviting, removing, promoting, demoting, assigning, accept, reject, message } = update;
  const leavingOnly = removing.length === 1 && removing[0] === permissions.userId;
  const joiningOnly = adding.length === 1 && adding[0]!.id === permissions.userId;
  if (adding.length > 0 && !(joiningOnly && can(permissions, "add-own-channel-membership")))
    requirePermission(permissions, "update-channel-members", "add members");
  if (inviting.length > 0) requirePermission(permissions, "update-channel-members", "invite people");
  if (removing.length > 0 && !(leavingOnly && can(permissions, "remove-own-channel-membership")))
    requirePermission(permissions, "update-channel-members", "remove members");
  if ((promoting.length > 0 || demoting.length > 0 || assigning.length > 0) && !permissions.all)
    throw ApiProblem.notAllowed("Only a server may change channel roles");
  if (
    [...adding, ...inviting].some((one) => (one.role ?? "channel_member") !== "channel_member") &&
    !permissions.all
  )
    throw ApiProblem.notAllowed("Only a server may give channel roles");
  if (permissions.channel.is_distinct && (adding.length > 0 || inviting.length > 0))
    throw invalidField(
      "add_members",
      "is not possible: a channel made of its members takes no others",
      "A channel made of its members takes no others",
    );
  if (message && !accept && !reject && !leavingOnly && !joiningOnly && !permissions.all)
    requirePermission(permissions, "create-message", "send messages");
}

function requireData(call: RouteCall, permissions: Permissions, update: Update): void {
  const { channel } = permissions;
  const { given, cooldown, tagsAdded, tagsGone } = update;
  if (given) {
    allowData(permissions, {
      // Clients send the whole channel back: what is as it was is not touched.
      frozen: Number(given.frozen ?? channel.frozen) !== channel.frozen,
      cooldown: (given.cooldown ?? cooldown ?? channel.cooldown) !== channel.cooldown,
      disabled: Number(given.disabled ?? channel.disabled) !== channel.disabled,
      rest: JSON.stringify(given.custom) !== channel.data || tagsOf(given) !== undefined,
    });
    allowTeam(call, channel, given.team ?? channel.team);
  } else if (cooldown !== undefined && cooldown !== channel.cooldown)
    requirePermission(permissions, "update-channel-cooldown", "change slow mode", false);
  if (tagsAdded.length + tagsGone.length > 0)
    requirePermission(permissions, "update-channel", "change the tags");
}

/** The row as it will be; what was not named of the data stays, but the custom fields are replaced. */
function rowAfter(
  channel: ChannelRow,
  { given, cooldown, tagsAdded, tagsGone }: Update,
): Partial<ChannelRow> {
  const tags = new Set(given?.filterTags ?? (JSON.parse(channel.filter_tags) as string[]));
  for (const tag of tagsAdded) tags.add(tag);
  for (const tag of tagsGone) tags.delete(tag);
  if (tags.size > TAGS) throw invalidField("filter_tags", `must hold at most ${TAGS} entries`);
  return {
    filter_tags: JSON.stringify([...tags]),
    cooldown: given?.cooldown ?? cooldown ?? channel.cooldown,
    ...(given
      ? {
          data: JSON.stringify(given.custom),
          frozen: Number(given.frozen ?? channel.frozen === 1),
          disabled: Number(given.disabled ?? channel.disabled === 1),
          team: given.team ?? channel.team,
          auto_translation_enabled: Number(given.translated ?? channel.auto_translation_enabled === 1),
          auto_translation_language: given.language ?? channel.auto_translation_language,
        }
      : {}),
  };
}

/** The new members and the invited. */
function join(
  call: RouteCall,
  people: People,
  channel: ChannelRow,
  update: Update,
  now: number,
): MemberRow[] {
  const { promoting, demoting, adding, inviting, assigning, hideBefore, hideHistory } = update;
  const ids = (members: NewMember[]): string[] => members.map(({ id }) => id);
  requireLivingUsers(people, "add_moderators", promoting);
  requireLivingUsers(people, "demote_moderators", demoting);
  requireLivingUsers(people, "add_members", ids(adding));
  requireLivingUsers(people, "invites", ids(inviting));
  const since = hideBefore ?? (hideHistory ? Math.max(now, channel.last_stamp) : null);
  const joined = [
    ...addMembers(call, channel, adding, { now, hideBefore: since }),
    ...addMembers(call, channel, inviting, { now, invited: true }),
  ];
  const unknown = assigning.filter((one) => !memberRow(call.db, channel.cid, one.id));
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
  { promoting, demoting, assigning }: Update,
  now: number,
): void {
  const roles = new Map<string, string>([
    ...promoting.map((id) => [id, "channel_moderator"] as const),
    ...demoting.map((id) => [id, "channel_member"] as const),
    ...assigning.map((one) => [one.id, one.role ?? "channel_member"] as const),
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
  const { accept, reject, removing, message } = update;
  const people = new People(db, emit);
  const now = call.now();
  requireMembership(permissions, update);
  requireData(call, permissions, update);
  const changed = writeChannel(call, channel, rowAfter(channel, update), now);
  const joined = join(call, people, channel, update, now);
  const type = accept || reject ? "regular" : "system";
  const sent =
    message && systemMessage(call, permissions, me ?? actor(call), message, { told: !changed, type });
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
  if (removing.length > 0)
    removeMembers(call, people, permissions, removing, now, (id) => canStay(call, channel, id));
  const fresh = callerPermissions(call, channelRow(db, channel.cid));
  return {
    channel: channelFor(db, people, fresh, now),
    members: memberList(db, people, channel),
    ...(sent ? { message: sent } : {}),
  };
}

const tagsOf = (given: ChannelData): unknown =>
  given.filterTags ?? given.team ?? given.translated ?? given.language;

/** Does somebody who left still read the channel: its creator, or anybody where reading is open. */
function canStay(call: RouteCall, channel: ChannelRow, userId: string): boolean {
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
