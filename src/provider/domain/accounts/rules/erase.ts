/** Erases a user for good: memberships, reactions, votes and lists go; messages and channels that stay get another owner (specification/users.md §5). */
import { createHash } from "node:crypto";
import type { DueContext } from "../../../base/ports.ts";
import { callerPermissions } from "../../access/view/policy.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { removeMembers } from "../../channels/rules/members.ts";
import { serverCall } from "../../query/server-call.ts";
import { People } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";
import { cidsOfMember, removeMember } from "../../channels/storage/members.ts";
import { removeReactionsOfUser } from "../../messages/storage/reactions.ts";
import { insertDeletedUser, removeUser } from "../storage/erase.ts";

/** Who stands for a user that is gone: the same for every trace of it. */
export const deletedUserId = (userId: string): string =>
  `delete-user-${createHash("sha256").update(userId).digest("hex").slice(0, 16)}`;

export const isDeletedUserId = (userId: string): boolean => /^delete-user-[\da-f]{16}$/.test(userId);

/** Ends the memberships; the other members and watchers are told. */
function leaveChannels(due: DueContext, userId: string): void {
  const { db, emit } = due;
  const call = serverCall(due, "deleteUsers", {});
  for (const cid of cidsOfMember(db, userId)) {
    const channel = findChannel(db, cid);
    if (channel)
      removeMembers(
        call,
        new People(db, emit),
        callerPermissions(call, channel),
        [userId],
        due.now(),
        () => false,
      );
    else removeMember(db, cid, userId);
  }
}

/**
 * Removes the row and all that was the user's alone. Channels go to `ownerId`, or to who stands for the user; messages and polls that
 * stay belong to that one. Who was muted or blocked keeps no trace of it.
 */
export function eraseUser(due: DueContext, userId: string, ownerId: string | undefined): void {
  const { db } = due;
  if (!findUser(db, userId)) return;
  const deletedUser = deletedUserId(userId);
  insertDeletedUser(db, deletedUser, due.now());
  removeReactionsOfUser(db, userId);
  leaveChannels(due, userId);
  removeUser(db, userId, deletedUser, ownerId ?? deletedUser);
}
