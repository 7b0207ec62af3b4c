/** Mutes and unmutes channels: new messages do not count as unread and do not unhide the channel (specification/channels.md §7). */
import { channelBodies } from "../../../../wire/bodies/channels.ts";
import type { ChannelMute } from "../../../../wire/entities/user.ts";
import { cidProblem } from "../../../../wire/ids.ts";
import { clampTime } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { ownUser } from "../../users/rules/current-user.ts";
import { channelMutesOf } from "../../users/view/mute-view.ts";
import { requirePermission, requireReadable, requireFeature } from "../../access/view/policy.ts";
import { People } from "../../users/view/users.ts";
import { channelMutes } from "../storage/mutes.ts";

function readCids(check: BodyReader): string[] {
  const { channel_cid: singleCid, channel_cids: cidList = [] } = check.read(channelBodies.unmuteChannel);
  const cids = [...new Set([...(singleCid === undefined ? [] : [singleCid]), ...cidList])];
  if (cids.length === 0) check.fail("channel_cid", "is required");
  for (const cid of cids) {
    const problem = cidProblem(cid);
    if (problem) check.fail("channel_cid", problem);
  }
  check.done();
  return cids;
}

/** Tells the app's servers of each mute; connections get the whole list. */
function publishToServers(
  call: RouteCall,
  type: "channel.muted" | "channel.unmuted",
  mutes: readonly ChannelMute[],
): void {
  for (const mute of mutes) {
    const { cid, type: channel_type, id: channel_id } = mute.channel;
    call.emit.server({ type, cid, channel_type, channel_id, user: mute.user, mute });
  }
}

function publishMutes(call: RouteCall, userId: string, now: number): void {
  const people = new People(call.db, call.emit);
  call.emit.user(userId, {
    type: "notification.channel_mutes_updated",
    me: { ...people.get(userId), channel_mutes: channelMutesOf(call.db, people, userId, now) },
  });
}

const mutesAmong = (
  { db, emit }: RouteCall,
  userId: string,
  cids: readonly string[],
  now: number,
): ChannelMute[] =>
  channelMutesOf(db, new People(db, emit), userId, now).filter(({ channel }) => cids.includes(channel.cid));

/** `expiration` is in milliseconds from now. */
export function muteChannel(call: RouteCall): Reply<"muteChannel"> {
  const { db, emit } = call;
  const me = actor(call);
  const check = new BodyReader(call.body);
  const { expiration } = check.read({ expiration: channelBodies.muteChannel.expiration });
  const cids = readCids(check);
  const now = call.now();
  for (const cid of cids) {
    const permissions = requireReadable(call, cid);
    if (!permissions.unrestricted && !permissions.member)
      throw ApiProblem.notAllowed(`You are not a member of channel ${cid}`);
    requirePermission(permissions, "mute-channel", "mute it");
    requireFeature(permissions, "mutes", "mutes");
    const expires = expiration === undefined ? null : clampTime(now + expiration * 1000);
    const mute = { cid, user_id: me.id, created_at: now, updated_at: now, expires };
    channelMutes.put(db, mute, ["created_at"]);
  }
  publishMutes(call, me.id, now);
  const mutes = mutesAmong(call, me.id, cids, now);
  publishToServers(call, "channel.muted", mutes);
  return {
    ...(mutes.length === 1 ? { channel_mute: mutes[0] } : {}),
    channel_mutes: mutes,
    own_user: ownUser(db, emit, me.id, now),
  };
}

export function unmuteChannel(call: RouteCall): Reply<"unmuteChannel"> {
  const me = actor(call);
  const cids = readCids(new BodyReader(call.body));
  const ended = mutesAmong(call, me.id, cids, call.now());
  for (const cid of cids) channelMutes.remove(call.db, { cid, user_id: me.id });
  publishMutes(call, me.id, call.now());
  publishToServers(call, "channel.unmuted", ended);
  return {};
}
