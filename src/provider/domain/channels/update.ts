/** Changing a channel: full update with members and invites, and partial update (channels.md §7–8). */
import { COOLDOWN_MAX_SECONDS, MEMBERS_PER_CALL } from "../../../wire/constants.ts";
import { BUILT_IN } from "../../../wire/custom.ts";
import { Refusal, type Call, type Reply } from "../../handler.ts";
import { actor, maybeActor } from "../asked/acting.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, cidOfPath, isPending, memberRow, type ChannelRow } from "./rows.ts";
import { readOverrides } from "../access/overrides.ts";
import { channelFor, channelView, memberList, memberView } from "./view.ts";
import { Check, wrong, type Fields } from "../asked/check.ts";
import { addMembers, needUsers, readMembers, removeMembers, tellAdded, tellMember } from "./members.ts";
import { systemMessage } from "../messages/send.ts";
import { applyPartial, firstStep, readPartial } from "../asked/paths.ts";
import {
  allow,
  can,
  canInType,
  mayReadChannel,
  notAllowed,
  standingOf,
  standingOfUser,
  type Standing,
} from "../access/policy.ts";
import { People, type UserRow } from "../users/view.ts";

const WRITE = `UPDATE channels SET data = ?, frozen = ?, disabled = ?, cooldown = ?, team = ?, filter_tags = ?, overrides = ?,
  auto_translation_enabled = ?, auto_translation_language = ?, updated_at = ? WHERE cid = ?`;

/** Rights by what is touched: freezing, slow mode and everything else are granted apart; disabling is for servers. */
function allowData(s: Standing, before: ChannelRow, given: ChannelData, rest: boolean): void {
  if (given.disabled !== undefined && Number(given.disabled) !== before.disabled && !s.all)
    throw new Refusal(17, "Only a server may disable a channel");
  if (given.frozen !== undefined && Number(given.frozen) !== before.frozen)
    allow(s, "update-channel-frozen", "freeze or unfreeze messages", false);
  if (given.cooldown !== undefined && given.cooldown !== before.cooldown)
    allow(s, "update-channel-cooldown", "change slow mode", false);
  if (rest) allow(s, "update-channel", "change the data");
}

/** A channel goes to a team only by somebody who may change channels there (admin.md §11). */
function allowTeam(call: Call, before: ChannelRow, team: string | null): void {
  if (team !== before.team && !canInType(call, before.type, "update-channel", true, team))
    throw notAllowed(`You are not allowed to give channel ${before.cid} to that team`);
}

function write(call: Call, channel: ChannelRow, after: Partial<ChannelRow>, now: number): boolean {
  const next = { ...channel, ...after };
  const keys = [
    "data",
    "frozen",
    "disabled",
    "cooldown",
    "team",
    "filter_tags",
    "overrides",
    "auto_translation_enabled",
    "auto_translation_language",
  ] as const;
  if (keys.every((key) => next[key] === channel[key])) return false;
  call.db.run(WRITE, ...keys.map((key) => next[key]), now, channel.cid);
  Object.assign(channel, next, { updated_at: now });
  return true;
}

export function updateChannel(call: Call): Reply {
  const { db, emit, body } = call;
  const channel = channelRow(db, cidOfPath(call));
  const me = maybeActor(call);
  const s = standingOf(call, channel);
  mayReadChannel(s);
  const check = new Check(body);
  const data = check.object("data");
  const inner = check.inside("data");
  const given = data ? readChannelData(inner, data) : undefined;
  const adding = readMembers(db, check, "add_members");
  const inviting = readMembers(db, check, "invites");
  const removing = check.texts("remove_members", MEMBERS_PER_CALL) ?? [];
  const promoting = check.texts("add_moderators", MEMBERS_PER_CALL) ?? [];
  const demoting = check.texts("demote_moderators", MEMBERS_PER_CALL) ?? [];
  const assigning = readMembers(db, check, "assign_roles");
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
    allow(s, "update-channel-members", "add members");
  if (inviting.length > 0) allow(s, "update-channel-members", "invite people");
  if (removing.length > 0 && !(leavingOnly && can(s, "remove-own-channel-membership")))
    allow(s, "update-channel-members", "remove members");
  if ((promoting.length > 0 || demoting.length > 0 || assigning.length > 0) && !s.all)
    throw new Refusal(17, "Only a server may change channel roles");
  if ([...adding, ...inviting].some((one) => (one.role ?? "channel_member") !== "channel_member") && !s.all)
    throw new Refusal(17, "Only a server may give channel roles");
  if (channel.is_distinct && (adding.length > 0 || inviting.length > 0))
    throw wrong("add_members", "is not possible: a channel made of its members takes no others");
  if (message && !accept && !reject && !leavingOnly && !joiningOnly && !s.all)
    allow(s, "create-message", "send messages");

  if (given) {
    const effective: ChannelData = { ...given, cooldown: given.cooldown ?? cooldown };
    const touches = JSON.stringify(given.custom) !== channel.data || tagsOf(given) !== undefined;
    allowData(s, channel, effective, touches);
    allowTeam(call, channel, given.team ?? channel.team);
  } else if (cooldown !== undefined && cooldown !== channel.cooldown)
    allow(s, "update-channel-cooldown", "change slow mode", false);
  if (tagsAdded.length + tagsGone.length > 0) allow(s, "update-channel", "change the tags");
  const tags = new Set(given?.filterTags ?? (JSON.parse(channel.filter_tags) as string[]));
  for (const tag of tagsAdded) tags.add(tag);
  for (const tag of tagsGone) tags.delete(tag);
  if (tags.size > 10) throw wrong("filter_tags", "must hold at most 10 entries");
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

  needUsers(
    people,
    "add_members",
    adding.map((one) => one.id),
  );
  needUsers(
    people,
    "invites",
    inviting.map((one) => one.id),
  );
  const added = addMembers(call, channel, adding, {
    now,
    hideBefore: hideBefore ?? (hideHistory ? Math.max(now, channel.last_stamp) : null),
  });
  const invited = addMembers(call, channel, inviting, { now, invited: true });
  const roles = new Map<string, string>([
    ...promoting.map((id) => [id, "channel_moderator"] as const),
    ...demoting.map((id) => [id, "channel_member"] as const),
    ...assigning.map((one) => [one.id, one.role ?? "channel_member"] as const),
  ]);
  const strangers = [...roles.keys()].filter((id) => !memberRow(db, channel.cid, id));
  if (strangers.length > 0)
    throw wrong("add_moderators", `names people who are not members: ${strangers.join(", ")}`);

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
  tellAdded(call, people, channel, [...added, ...invited]);
  for (const [id, role] of roles) {
    db.run(
      "UPDATE members SET channel_role = ?, updated_at = ? WHERE cid = ? AND user_id = ?",
      role,
      now,
      channel.cid,
      id,
    );
    tellMember(call, people, channel, memberRow(db, channel.cid, id)!);
  }
  if (accept || reject) answerInvite(call, people, channel, me ?? actor(call), accept, now);
  if (removing.length > 0) removeMembers(call, people, s, removing, now, (id) => mayStay(call, channel, id));
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
function mayStay(call: Call, channel: ChannelRow, userId: string): boolean {
  return can(standingOfUser(call.db, userId, channel, null), "read-channel");
}

function answerInvite(
  call: Call,
  people: People,
  channel: ChannelRow,
  me: UserRow,
  accept: boolean,
  now: number,
): void {
  const row = memberRow(call.db, channel.cid, me.id);
  if (!row || !isPending(row))
    throw wrong(
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
  tellMember(call, people, channel, after);
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

const SETTABLE = new Set([
  "frozen",
  "disabled",
  "cooldown",
  "team",
  "filter_tags",
  "config_overrides",
  "auto_translation_enabled",
  "auto_translation_language",
]);

export function updateChannelPartial(call: Call): Reply {
  const { db, emit } = call;
  const channel = channelRow(db, cidOfPath(call));
  const me = maybeActor(call);
  const s = standingOf(call, channel);
  mayReadChannel(s);
  const check = new Check(call.body);
  const partial = readPartial(check);
  for (const path of [...Object.keys(partial.set), ...partial.unset])
    if (BUILT_IN.channel.has(firstStep(path)) && !SETTABLE.has(firstStep(path)))
      check.fail(path, "cannot be changed");
  check.done();
  const before: Fields = {
    ...(JSON.parse(channel.data) as Fields),
    frozen: channel.frozen === 1,
    disabled: channel.disabled === 1,
    cooldown: channel.cooldown,
    filter_tags: JSON.parse(channel.filter_tags) as string[],
    ...(channel.team === null ? {} : { team: channel.team }),
    auto_translation_enabled: channel.auto_translation_enabled === 1,
    ...(channel.auto_translation_language === null
      ? {}
      : { auto_translation_language: channel.auto_translation_language }),
    ...(channel.overrides === null ? {} : { config_overrides: JSON.parse(channel.overrides) as Fields }),
  };
  const overriding = [...Object.keys(partial.set), ...partial.unset].some(
    (path) => firstStep(path) === "config_overrides",
  );
  if (overriding && !s.all)
    throw new Refusal(17, "Only a server may override the configuration of a channel");
  const { config_overrides: overrides, ...after } = applyPartial(before, partial);
  const inner = new Check(after, "set.");
  const given = readChannelData(inner, after);
  inner.done();
  const rest = [...Object.keys(partial.set), ...partial.unset].some(
    (path) => !["frozen", "cooldown", "disabled"].includes(firstStep(path)),
  );
  const closed: ChannelData = {
    ...given,
    frozen: given.frozen ?? false,
    disabled: given.disabled ?? false,
    cooldown: given.cooldown ?? 0,
  };
  allowData(s, channel, closed, rest);
  allowTeam(call, channel, closed.team ?? null);
  const now = call.now();
  const changed = write(
    call,
    channel,
    {
      data: JSON.stringify(given.custom),
      frozen: Number(closed.frozen),
      disabled: Number(closed.disabled),
      cooldown: closed.cooldown!,
      team: given.team ?? null,
      filter_tags: JSON.stringify(given.filterTags ?? []),
      auto_translation_enabled: Number(given.translated ?? false),
      auto_translation_language: given.language ?? null,
      overrides: overriding ? readOverrides(db, overrides, "set.config_overrides") : channel.overrides,
    },
    now,
  );
  const people = new People(db, emit);
  if (changed)
    emit.watchers(channel.cid, {
      type: "channel.updated",
      ...(me ? { user: people.get(me.id) } : {}),
      channel: channelView(people, channel),
    });
  return {
    channel: channelFor(db, people, standingOf(call, channel), now),
    members: memberList(db, people, channel),
  };
}
