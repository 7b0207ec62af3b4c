/** Blocks: private to the blocking user, for whom channels of the two become hidden and silent (specification/moderation.md §5). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { actor } from "./acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { recount } from "../../reads/storage/unread.ts";
import { readRow } from "../../channels/storage/rows.ts";
import { fullUser } from "../view/private-view.ts";
import { channelsOfTwo } from "../storage/blocks-in-pairs.ts";
import { People } from "../view/users.ts";
import { findUser, userRow, type UserRow, noUser } from "../storage/rows.ts";
import { blocks } from "../storage/blocks.ts";
import { setUnread } from "../../reads/storage/reads.ts";
import { clearThreadsOfUser } from "../../threads/storage/rows.ts";

/** The named user; `deleted` allows a deleted one, because a block of a deleted user can still be removed. */
function target(call: RouteCall, me: UserRow, deleted: boolean): string {
  const check = new BodyReader(call.body);
  const { blocked_user_id: id } = check.read(userBodies.blockUser);
  if (id === me.id) check.fail("blocked_user_id", "must not be yourself");
  check.done();
  const row = findUser(call.db, id);
  if (!row || (row.deleted_at !== null && !deleted)) throw noUser(id);
  return id;
}

/** Emits the new list to the user's own connections only (BL-8). */
function publishBlocks({ db, emit, now }: RouteCall, userId: string): void {
  emit.user(userId, {
    type: "user.updated",
    user: fullUser({ db, emit, now: now() }, userRow(db, userId), "self"),
  });
}

export function blockUser(call: RouteCall): Reply<"blockUser"> {
  const { db } = call;
  const me = actor(call);
  const id = target(call, me, false);
  const key = { user_id: me.id, blocked_id: id };
  const added = blocks.add(db, { ...key, created_at: call.now() });
  const row = blocks.find(db, key)!;
  if (added) {
    // Unread messages in channels of the two are hidden; they count again when the block ends.
    for (const cid of channelsOfTwo(db, me.id, id)) {
      setUnread(db, cid, me.id, 0);
      clearThreadsOfUser(db, cid, me.id);
    }
    publishBlocks(call, me.id);
  }
  return { blocked_by_user_id: me.id, blocked_user_id: id, created_at: timeFromMicros(row.created_at) };
}

export function unblockUser(call: RouteCall): Reply<"unblockUser"> {
  const { db } = call;
  const me = actor(call);
  const id = target(call, me, true);
  if (!blocks.remove(db, { user_id: me.id, blocked_id: id })) return {};
  for (const cid of channelsOfTwo(db, me.id, id)) {
    const read = readRow(db, cid, me.id);
    if (read) setUnread(db, cid, me.id, recount(db, cid, me.id, read.last_read));
  }
  publishBlocks(call, me.id);
  return {};
}

export function getBlockedUsers(call: RouteCall): Reply<"getBlockedUsers"> {
  const { db, emit } = call;
  const me = actor(call, call.query);
  const rows = blocks.list(db, { user_id: me.id }, { by: ["created_at", "blocked_id"] });
  const people = new People(db, emit);
  people.load([me.id, ...rows.map(({ blocked_id }) => blocked_id)]);
  return {
    blocks: rows.map((row) => ({
      user: people.get(row.user_id),
      user_id: row.user_id,
      blocked_user: people.get(row.blocked_id),
      blocked_user_id: row.blocked_id,
      created_at: timeFromMicros(row.created_at),
    })),
  };
}
