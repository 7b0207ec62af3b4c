/** Changing a channel in whole: data, members, roles and invites in one call (specification/channels.md §7–8). */
import { COOLDOWN_MAX_SECONDS, MEMBERS_PER_CALL } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor, maybeActor } from "../../users/rules/acting.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, cidOfPath, isPending, memberRow, type ChannelRow } from "../storage/rows.ts";
import { channelFor, channelView, memberList, memberView } from "../view/channels.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import {
  addMembers,
  requireLivingUsers,
  notInvited,
  readMembers,
  removeMembers,
  strangersAmong,
  publishAddedMembers,
  publishMember,
} from "./members.ts";
import { systemMessage } from "../../posting/rules/send.ts";
import {
  requirePermission,
  can,
  requireReadChannel,
  standingOf,
  standingOfUser,
} from "../../access/view/policy.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { allowData, allowTeam, write } from "./write.ts";

export function updateChannel(call: RouteCall): Reply<"updateChannel"> {
  const { db, emit, body } = call;
  const channel = channelRow(db, cidOfPath(call));
  const me = maybeActor(call);
  const s = standingOf(call, channel);
  requireReadChannel(s);
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
  const adding = [
    ...named,
    ...strangersAmong(db, channel, [...promoting, ...demoting], [...named, ...inviting]),
  ];
  const tagsAdded = check.texts("add_filter_tags", 10) ?? [];
  const tagsGone = check.texts("remove_filter_tags", 10) ?? [];
  const cooldown = check.whole("cooldown", 0, COOLDOWN_MAX_SECONDS);
  const accept = check.flag("accept_invite") ?? false;
  const reject = check.flag("reject_invite") ?? false;
  const hideBefore = check.date("hide_history_before");
  const hideHistory = check.flag("hide_history") ?? false;
  check.flag("skip_push");
  const message = check.object("message");
  if (accept && reject) check.fail("reject_invite", "cannot be given together with accept_invite");
  check.done();

  const people = new People(db, emit);
  const now = call.now();
  const leavingOnly = removing.length === 1 && removing[0] === s.userId;
  const joiningOnly = adding.length === 1 && adding[0]!.id === s.userId;
  if (adding.length > 0 && !(joiningOnly && can(s, "add-own-channel-membership")))
    requirePermission(s, "update-channel-members", "add members");
  if (inviting.length > 0) requirePermission(s, "update-channel-members", "invite people");
  if (removing.length > 0 && !(leavingOnly && can(s, "remove-own-channel-membership")))
    requirePermission(s, "update-channel-members", "remove members");
  if ((promoting.length > 0 || demoting.length > 0 || assigning.length > 0) && !s.all)
    throw new ApiProblem(17, "Only a server may change channel roles");
  if ([...adding, ...inviting].some((one) => (one.role ?? "channel_member") !== "channel_member") && !s.all)
    throw new ApiProblem(17, "Only a server may give channel roles");
  if (channel.is_distinct && (adding.length > 0 || inviting.length > 0))
    throw invalidField("add_members", "is not possible: a channel made of its members takes no others");
  if (message && !accept && !reject && !leavingOnly && !joiningOnly && !s.all)
    requirePermission(s, "create-message", "send messages");

  if (given) {
    const effective: ChannelData = { ...given, cooldown: given.cooldown ?? cooldown };
    const touches = JSON.stringify(given.custom) !== channel.data || tagsOf(given) !== undefined;
    allowData(s, channel, effective, touches);
    allowTeam(call, channel, given.team ?? channel.team);
  } else if (cooldown !== undefined && cooldown !== channel.cooldown)
    requirePermission(s, "update-channel-cooldown", "change slow mode", false);
  if (tagsAdded.length + tagsGone.length > 0) requirePermission(s, "update-channel", "change the tags");
  const tags = new Set(given?.filterTags ?? (JSON.parse(channel.filter_tags) as string[]));
  for (const tag of tagsAdded) tags.add(tag);
  for (const tag of tagsGone) tags.delete(tag);
  if (tags.size > 10) throw invalidField("filter_tags", "must hold at most 10 entries");
  const changed = write(
    call,
    channel,
    {
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
    },
    now,
  );

  requireLivingUsers(people, "add_moderators", promoting);
  requireLivingUsers(people, "demote_moderators", demoting);
  requireLivingUsers(
    people,
    "add_members",
    adding.map((one) => one.id),
  );
  requireLivingUsers(
    people,
    "invites",
    inviting.map((one) => one.id),
  );
  const added = addMembers(call, channel, adding, {
    now,
    hideBefore: hideBefore ?? (hideHistory ? Math.max(now, channel.last_stamp) : null),
  });
  const invited = addMembers(call, channel, inviting, { now, invited: true });
  const unknown = assigning.filter((one) => !memberRow(db, channel.cid, one.id));
  if (unknown.length > 0)
    throw invalidField(
      "assign_roles",
      `names people who are not members: ${unknown.map(({ id }) => id).join(", ")}`,
    );
  const roles = new Map<string, string>([
    ...promoting.map((id) => [id, "channel_moderator"] as const),
    ...demoting.map((id) => [id, "channel_member"] as const),
    ...assigning.map((one) => [one.id, one.role ?? "channel_member"] as const),
  ]);

  const sent = message
    ? systemMessage(call, s, me ?? actor(call), message, {
        told: !changed,
        type: accept || reject ? "regular" : "system",
      })
    : undefined;
  if (changed)
    emit.watchers(channel.cid, {
      type: "channel.updated",
      ...(me ? { user: people.get(me.id) } : {}),
      channel: channelView(people, channel),
      ...(sent ? { message: sent } : {}),
    });
  publishAddedMembers(call, people, channel, [...added, ...invited]);
  for (const [id, role] of roles) {
    db.run(
      "UPDATE members SET channel_role = ?, updated_at = ? WHERE cid = ? AND user_id = ?",
      role,
      now,
      channel.cid,
      id,
    );
    publishMember(call, people, channel, memberRow(db, channel.cid, id)!);
  }
  if (accept || reject) answerInvite(call, people, channel, me ?? actor(call), accept, now);
  if (removing.length > 0) removeMembers(call, people, s, removing, now, (id) => canStay(call, channel, id));
  const fresh = standingOf(call, channelRow(db, channel.cid));
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
  return can(standingOfUser(call.db, userId, channel, null), "read-channel");
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
  if (!row || !isPending(row))
    throw invalidField(
      accept ? "accept_invite" : "reject_invite",
      "is not possible: there is no open invite for you",
    );
  call.db.run(
    `UPDATE members SET ${accept ? "invite_accepted_at" : "invite_rejected_at"} = ?1, updated_at = ?1
     WHERE cid = ?2 AND user_id = ?3`,
    now,
    channel.cid,
    me.id,
  );
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
    { cid: channel.cid, away: true },
  );
}
