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
import { eraseVotesOf } from "../../polls/rules/votes.ts";
import { eraseReactionsOf } from "../../messages/rules/reactions.ts";
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

/** Empties the profile, so that the events of erasing name the user and nothing more, and removes a part of the reactions and votes; tells whether there may be more. */
export function eraseSomeOf(due: DueContext, userId: string): boolean {
  const { db } = due;
  const row = findUser(db, userId);
  if (!row) return false;
  pruneUser(db, userId);
  const call = serverCall(due, "deleteUsers", {});
  return eraseReactionsOf(call, row) || eraseVotesOf(call, row);
}

/** Does nothing for an unknown user. Channels go to `ownerId`, or to the placeholder; messages and polls go to the placeholder. */
export function eraseUser(due: DueContext, userId: string, ownerId: string | undefined): void {
  const { db } = due;
  if (!findUser(db, userId)) return;
  const placeholderId = placeholderUserId(userId);
  insertPlaceholderUser(db, placeholderId, due.now());
  while (eraseSomeOf(due, userId));
  leaveChannels(due, userId);
  removeUser(db, userId, placeholderId, ownerId ?? placeholderId);
  reserveErasedId(db, userId, due.now());
}
