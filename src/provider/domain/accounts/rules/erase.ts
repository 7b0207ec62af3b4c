/** Erases a user: own rows are deleted; remaining messages and channels get another owner (specification/users.md §5). */
import { createHash } from "node:crypto";
import type { DueContext } from "../../../base/ports.ts";
import { callerPermissions } from "../../access/view/policy.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { removeMembers } from "../../channels/rules/members.ts";
import { serverCall } from "../../query/server-call.ts";
import { People } from "../../users/view/users.ts";
import { findUser, reserveErasedId, pruneUser } from "../../users/storage/rows.ts";
import { cidsOfMember, removeMember } from "../../channels/storage/members.ts";
import { removeReactionsOfUser } from "../../messages/storage/reactions.ts";
import { insertPlaceholderUser, removeUser } from "../storage/erase.ts";

/** The id of the placeholder that replaces an erased user, the same in all messages, polls and channels. */
export const placeholderUserId = (userId: string): string =>
  `delete-user-${createHash("sha256").update(userId).digest("hex").slice(0, 16)}`;

export const isPlaceholderUserId = (userId: string): boolean => /^delete-user-[\da-f]{16}$/.test(userId);

/** Removes the user from all channels, with events for the other members and the watchers. */
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

/** Does nothing for an unknown user. Channels go to `ownerId`, or to the placeholder; messages and polls go to the placeholder. */
export function eraseUser(due: DueContext, userId: string, ownerId: string | undefined): void {
  const { db } = due;
  if (!findUser(db, userId)) return;
  const placeholderId = placeholderUserId(userId);
  insertPlaceholderUser(db, placeholderId, due.now());
  removeReactionsOfUser(db, userId);
  // The events of leaving are logged: they name the user and nothing more.
  pruneUser(db, userId);
  leaveChannels(due, userId);
  removeUser(db, userId, placeholderId, ownerId ?? placeholderId);
  reserveErasedId(db, userId, due.now());
}
