/** Deletes, truncates, hides and shows channels (specification/channels.md §7). */
import type { Channel } from "../../../../wire/entities/channel.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import { channelBodies } from "../../../../wire/bodies/channels.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { type RouteCall, type Reply, ApiProblem } from "../../../base/handler.ts";
import { emptiedChannel } from "../../../../wire/gone.ts";
import { actor, maybeActor } from "../../users/rules/acting-user.ts";
import { eraseChannel, eraseMessages } from "../storage/erase.ts";
import { clearLater, hasManyMessages } from "../../messages/rules/clearing.ts";
import { removeDependentsOfChannel, removeDependentsUpTo } from "../../messages/rules/erase-dependents.ts";
import { channelRow, memberRow, readRow, type MemberRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { recount } from "../../reads/storage/unread.ts";
import { channelFor, channelView } from "../view/channels.ts";
import { BodyReader, type Fields } from "../../validation/check.ts";
import { systemMessage } from "../../posting/rules/send.ts";
import {
  requirePermission,
  requireReadChannel,
  callerPermissions,
  type Permissions,
} from "../../access/view/policy.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { setHidden, setHideBefore, raiseHideBefore } from "../storage/members.ts";
import { softDeleteChannel, storeTruncation } from "../storage/change.ts";
import { moveRead } from "../../reads/storage/reads.ts";
import { clearThreadsUpTo } from "../../threads/storage/rows.ts";

export function deleteChannel(call: RouteCall): Reply<"deleteChannel"> {
  const { db, emit } = call;
  const channel = channelRow(db, cidOfPath(call.path));
  const me = call.caller.kind === "server" && !call.caller.userId ? undefined : actor(call, call.query);
  const permissions = callerPermissions(call, channel);
  requireReadChannel(permissions);
  requirePermission(permissions, "delete-channel", "delete it");
  const check = new BodyReader(call.query);
  const hard = check.flag("hard_delete") ?? false;
  check.done();
  const now = call.now();
  const people = new People(db, emit);
  const answer = { ...channelFor(db, people, permissions, now) };
  channel.deleted_at = now;
  const view = hard ? emptiedChannel(channelView(people, channel)) : channelView(people, channel);
  const user = me ? { user: people.get(me.id) } : {};
  emit.watchers(channel.cid, { type: "channel.deleted", channel: view, ...user });
  emit.membersNotWatching(channel.cid, () => ({
    type: "notification.channel_deleted",
    channel: view,
    ...user,
  }));
  const eraseLater = hard && hasManyMessages(db, channel.cid, Number.MAX_SAFE_INTEGER);
  removeDependentsOfChannel(call, channel.cid, hard && !eraseLater);
  emit.endWatch(channel.cid);
  if (eraseLater) clearLater(call, channel.cid, Math.max(now, channel.last_stamp), now, true);
  if (hard && !eraseLater) eraseChannel(db, channel.cid, now);
  else softDeleteChannel(db, channel.cid, now, channel.last_stamp);
  return { channel: { ...answer, deleted_at: view.deleted_at } };
}

export function truncateChannel(call: RouteCall): Reply<"truncateChannel"> {
  const { db, emit, body } = call;
  const channel = channelRow(db, cidOfPath(call.path));
  const me = maybeActor(call);
  const permissions = callerPermissions(call, channel);
  requireReadChannel(permissions);
  requirePermission(permissions, "truncate-channel", "remove all messages");
  const check = new BodyReader(body);
  const { message: _message, ...fields } = channelBodies.truncateChannel;
  const { truncated_at: truncatedAt, member_ids: only } = check.read(fields);
  const message = check.object("message");
  if (Array.isArray(message?.restricted_visibility) && message.restricted_visibility.length > 0)
    check.fail("message.restricted_visibility", "must be empty: everyone is told of a truncation");
  const nonMembers = (only ?? []).filter((id) => !memberRow(db, channel.cid, id));
  if (nonMembers.length > 0)
    check.fail("member_ids", `names people who are not members: ${nonMembers.join(", ")}`);
  check.done();
  const now = call.now();
  const upTo = Math.min(truncatedAt ?? Number.MAX_SAFE_INTEGER, Math.max(now, channel.last_stamp));
  if (only && only.length > 0) return truncateForMembers(call, permissions, me, new Set(only), upTo, message);
  if (hasManyMessages(db, channel.cid, upTo)) clearLater(call, channel.cid, upTo, now);
  else {
    removeDependentsUpTo(call, channel.cid, upTo);
    eraseMessages(db, channel.cid, upTo, now);
  }
  const stamp = Math.max(channel.last_stamp, upTo);
  storeTruncation(db, { cid: channel.cid, at: upTo, by: me?.id ?? null, now, stamp });
  const after = callerPermissions(call, channelRow(db, channel.cid));
  const sent = message
    ? systemMessage(call, after, me ?? actor(call), message, { emitsEvents: false })
    : undefined;
  const people = new People(db, emit);
  publishTruncated(call, people, channelView(people, after.channel), { me, sent });
  return { channel: channelFor(db, people, after, now), ...(sent ? { message: sent } : {}) };
}

/** Sends the events to watchers and other members; `only` limits them to some users. */
function publishTruncated(
  { emit }: RouteCall,
  people: People,
  channel: Channel,
  { me, sent, only }: { me: UserRow | undefined; sent: Message | undefined; only?: ReadonlySet<string> },
): void {
  const userField = me ? { user: people.get(me.id) } : {};
  const messageFields = sent ? { message: sent, message_id: sent.id } : {};
  emit.watchers(channel.cid, { type: "channel.truncated", channel, ...userField, ...messageFields }, only);
  emit.membersNotWatching(channel.cid, (userId) =>
    only?.has(userId) === false
      ? undefined
      : { type: "notification.channel_truncated", channel, ...userField },
  );
}

/** Truncates for some members only: no message is removed, but older ones are hidden from these members. Others get no event. */
function truncateForMembers(
  call: RouteCall,
  permissions: Permissions,
  me: UserRow | undefined,
  only: ReadonlySet<string>,
  upTo: number,
  message: Fields | undefined,
): Reply<"truncateChannel"> {
  const { db, emit } = call;
  const { channel } = permissions;
  const { cid } = channel;
  for (const id of only) {
    raiseHideBefore(db, cid, id, upTo);
    const read = readRow(db, cid, id);
    if (read) {
      const lastRead = Math.max(read.last_read, upTo);
      moveRead(db, { cid, user_id: id, unread: recount(db, cid, id, lastRead), last_read: lastRead });
    }
    clearThreadsUpTo(db, cid, id, upTo);
  }
  const sent = message
    ? systemMessage(
        call,
        permissions,
        me ?? actor(call),
        { ...message, restricted_visibility: [...only] },
        { emitsEvents: false },
      )
    : undefined;
  const people = new People(db, emit);
  const view = { ...channelView(people, channel), truncated_at: timeFromMicros(upTo) };
  publishTruncated(call, people, view, { me, sent, only });
  const after = callerPermissions(call, channelRow(db, cid));
  return { channel: channelFor(db, people, after, call.now()), ...(sent ? { message: sent } : {}) };
}

/**
 * The caller's membership, where hiding is stored; throws code 17 without one. Undefined when a server names a user who is no
 * member: there is nothing to change, and that is no error.
 */
function ownMembership(call: RouteCall): (Permissions & { userId: string; member: MemberRow }) | undefined {
  const me = actor(call);
  const permissions = callerPermissions(call, channelRow(call.db, cidOfPath(call.path)));
  const member = memberRow(call.db, permissions.channel.cid, me.id);
  if (member) return { ...permissions, userId: me.id, member };
  if (permissions.unrestricted) return undefined;
  throw ApiProblem.notAllowed(`You are not a member of channel ${permissions.channel.cid}`);
}

export function hideChannel(call: RouteCall): Reply<"hideChannel"> {
  const { db, emit } = call;
  const check = new BodyReader(call.body);
  const clear = check.flag("clear_history") ?? false;
  const permissions = ownMembership(call);
  if (permissions) requireReadChannel(permissions);
  check.done();
  if (!permissions) return {};
  const { channel, userId } = permissions;
  const now = call.now();
  setHidden(db, channel.cid, userId, now);
  if (clear) {
    const upTo = Math.max(now, channel.last_stamp);
    setHideBefore(db, channel.cid, userId, upTo);
    moveRead(db, { cid: channel.cid, user_id: userId, unread: 0, last_read: upTo });
  }
  const people = new People(db, emit);
  emit.user(
    userId,
    {
      type: "channel.hidden",
      channel: channelView(people, channel),
      clear_history: clear,
      user: people.get(userId),
    },
    { cid: channel.cid },
  );
  return {};
}

export function showChannel(call: RouteCall): Reply<"showChannel"> {
  const { db, emit } = call;
  const permissions = ownMembership(call);
  if (!permissions) return {};
  requireReadChannel(permissions);
  const { channel, userId } = permissions;
  if (permissions.member.hidden_at === null) return {};
  setHidden(db, channel.cid, userId, null);
  const people = new People(db, emit);
  emit.user(
    userId,
    { type: "channel.visible", channel: channelView(people, channel), user: people.get(userId) },
    { cid: channel.cid },
  );
  return {};
}
