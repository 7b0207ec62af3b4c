/** Starts watching a channel with the connection of a call, and tells the other watchers. */
import { PRESENCE_MEMBERS } from "../../../../wire/constants.ts";
import type { Member } from "../../../../wire/entities/channel.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { configOf } from "../../access/storage/access.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { publicUser } from "../../users/view/users.ts";
import { findUser, userRow } from "../../users/storage/rows.ts";

/** Whether watchers get an event when this user starts or stops watching: by the type's `connect_events`, never for invisible users. */
export function announcesWatching(db: Database, userId: string, cid: string): boolean {
  const channel = findChannel(db, cid);
  const enabled = channel && configOf(db, channel.type, channel.overrides)?.connect_events;
  return enabled === true && findUser(db, userId)?.invisible === 0;
}

/** `alreadyStarted`: the earlier result of `emit.watch`, when the connection watches already because the channel was just created. */
export function startWatching(call: RouteCall, permissions: Permissions, alreadyStarted?: boolean): void {
  const { cid } = permissions.channel;
  const first = alreadyStarted ?? call.emit.watch(call.connectionId!, cid);
  if (!first || permissions.userId === undefined || !announcesWatching(call.db, permissions.userId, cid))
    return;
  call.emit.watchers(cid, {
    type: "user.watching.start",
    user: publicUser(userRow(call.db, permissions.userId), true),
    watcher_count: call.emit.watcherInfo(cid).count,
  });
}

/** The users whose presence a watcher of the channel gets: the first few other members. */
export const presenceOf = (
  members: readonly Pick<Member, "user_id">[],
  reader: string | undefined,
): string[] =>
  members
    .map((member) => member.user_id)
    .filter((userId) => userId !== reader)
    .slice(0, PRESENCE_MEMBERS);
