/** Deletes all messages of a user, everywhere or in one channel (specification/messages.md §7.1). */
import type { RouteCall } from "../../../base/handler.ts";
import { eraseRow, markDeleted } from "./delete.ts";
import type { DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { serverCall } from "../../query/server-call.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { findMessage } from "../storage/rows.ts";
import {
  type DeletionKind,
  insertUserClearing,
  firstUserClearingAt,
  firstUserClearing,
  removeUserClearing,
  remainingMessages,
  userHasMoreMessages,
  pruneMessage,
} from "../storage/clearings.ts";
import { pendingMessages } from "../storage/pending.ts";

const MESSAGES_PER_STEP = 200;
/** Steps that the call itself does; further ones are scheduled. */
const STEPS_AT_ONCE = 2;
/**
 * Deletes at most a part of the messages of the user, oldest first, in every channel or in `cid` only. `deletedAt` (whole
 * microseconds) becomes `deleted_at`. Returns the affected channels; empty when nothing was left.
 */
export function deleteSomeMessagesOf(
  call: RouteCall,
  userId: string,
  mode: DeletionKind,
  deletedAt: number,
  cid?: string,
): string[] {
  const { db } = call;
  pendingMessages.remove(db, { user_id: userId, ...(cid !== undefined && { cid }) });
  const rows = remainingMessages(db, userId, mode, cid, MESSAGES_PER_STEP);
  const affectedCids = new Set<string>();
  for (const row of rows) {
    affectedCids.add(row.cid);
    // A reply under a message of the same user was erased together with that message.
    if (mode === "hard" && !findMessage(db, row.id)) continue;
    if (mode === "hard") eraseRow(call, row, deletedAt);
    else {
      if (row.type !== "deleted") markDeleted(call, row, deletedAt);
      if (mode === "pruning") pruneMessage(db, row.id);
    }
  }
  return [...affectedCids];
}

/** Whether the user wrote more than the call itself deletes. */
export const hasManyMessagesOf = (db: Database, userId: string): boolean =>
  userHasMoreMessages(db, userId, MESSAGES_PER_STEP * STEPS_AT_ONCE);

/** Emits `user.messages.deleted` to the watchers of each channel, and with `everywhere` to the user's own connections. */
export function publishUserMessagesDeleted(
  call: RouteCall,
  userId: string,
  mode: DeletionKind,
  cids: Iterable<string>,
  everywhere: boolean,
): void {
  const { people } = viewContext(call.db, call.emit, call.now());
  const event = {
    type: "user.messages.deleted",
    user: people.get(userId),
    soft_delete: mode !== "hard",
    hard_delete: mode === "hard",
  };
  for (const cid of cids) call.emit.watchers(cid, event);
  if (everywhere) call.emit.user(userId, event);
}

/**
 * Deletes the user's messages in every channel, or in `cid` only, and emits the event. Messages already deleted stay as they
 * are, except that `pruning` empties and `hard` removes them too. Of many messages a part is deleted now and the rest in steps.
 */
export function deleteMessagesOf(
  call: RouteCall,
  userId: string,
  mode: DeletionKind,
  cid?: string,
  deletedAt = call.now(),
): void {
  const cids = new Set<string>();
  for (let parts = 0; parts <= STEPS_AT_ONCE; parts++) {
    if (parts === STEPS_AT_ONCE) {
      insertUserClearing(call.db, { user_id: userId, cid: cid ?? "", how: mode, at: deletedAt });
      break;
    }
    const part = deleteSomeMessagesOf(call, userId, mode, deletedAt, cid);
    if (part.length === 0) break;
    for (const affected of part) cids.add(affected);
  }
  publishUserMessagesDeleted(call, userId, mode, cids, cid === undefined);
}

/** Continues `deleteMessagesOf` in steps; each step notifies the affected channels. */
export const userClearingWork: DueWork = {
  name: "messages of deleted users",
  next: firstUserClearingAt,
  run(due) {
    const clearing = firstUserClearing(due.db);
    if (!clearing) return;
    const { user_id: id, cid, how: mode, at: deletedAt } = clearing;
    const call = serverCall(due, "deleteUsers", {});
    const part = deleteSomeMessagesOf(call, id, mode, deletedAt, cid === "" ? undefined : cid);
    publishUserMessagesDeleted(call, id, mode, part, false);
    if (part.length === 0) removeUserClearing(due.db, clearing);
  },
};
