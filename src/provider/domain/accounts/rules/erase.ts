/** Removing a user for good: memberships, reactions, votes and lists go, what stays of its messages and channels gets another name (specification/users.md §5). */
import { createHash } from "node:crypto";
import type { Due } from "../../../base/ports.ts";
import type { Database } from "../../../store/database.ts";
import { standingOf } from "../../access/view/policy.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { removeMembers } from "../../channels/rules/members.ts";
import { serverCall } from "../../query/server-call.ts";
import { derive } from "../../messages/rules/reactions.ts";
import { People } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";

/** Who stands for a user that is gone: the same for every trace of it. */
export const ghostId = (userId: string): string =>
  `delete-user-${createHash("sha256").update(userId).digest("hex").slice(0, 16)}`;

export const isGhost = (userId: string): boolean => /^delete-user-[\da-f]{16}$/.test(userId);

/** The ghost is stored as a deleted user, so nothing lists it and nobody can be it. */
function makeGhost(db: Database, id: string, now: number): void {
  db.run(
    `INSERT INTO users (id, role, created_at, updated_at, deleted_at) VALUES (?1, 'user', ?2, ?2, ?2)
     ON CONFLICT DO NOTHING`,
    id,
    now,
  );
}

function dropReactions(db: Database, userId: string): void {
  const concerned = db.all<{ message_id: string }>(
    "SELECT DISTINCT message_id FROM reactions WHERE user_id = ?",
    userId,
  );
  db.run("DELETE FROM reactions WHERE user_id = ?", userId);
  for (const { message_id } of concerned) {
    const derived = derive(db, message_id);
    db.run(
      "UPDATE message_rows SET reactions = ? WHERE id = ?",
      derived ? JSON.stringify(derived) : null,
      message_id,
    );
  }
}

/** Ends the memberships; the other members and watchers are told. */
function leaveChannels(due: Due, userId: string): void {
  const { db, emit } = due;
  const call = serverCall(due, "deleteUsers", {});
  for (const { cid } of db.all<{ cid: string }>("SELECT cid FROM members WHERE user_id = ?", userId)) {
    const channel = findChannel(db, cid);
    if (channel)
      removeMembers(call, new People(db, emit), standingOf(call, channel), [userId], due.now(), () => false);
    else db.run("DELETE FROM members WHERE cid = ? AND user_id = ?", cid, userId);
  }
}

const OWN: readonly [table: string, column: string][] = [
  ["members", "user_id"],
  ["reads", "user_id"],
  ["threads", "user_id"],
  ["channel_mutes", "user_id"],
  ["deleted_for_me", "user_id"],
  ["poll_votes", "user_id"],
  ["locations", "user_id"],
  ["user_mutes", "user_id"],
  ["user_mutes", "target_id"],
  ["blocks", "user_id"],
  ["blocks", "blocked_id"],
  ["devices", "user_id"],
  ["channel_push", "user_id"],
  ["drafts", "user_id"],
  ["reminders", "user_id"],
];

/**
 * Removes the row and all that was the user's alone. Channels go to `ownerId`, or to the ghost; messages and polls that
 * stay belong to the ghost. Who was muted or blocked keeps no trace of it.
 */
export function eraseUser(due: Due, userId: string, ownerId: string | undefined): void {
  const { db } = due;
  if (!findUser(db, userId)) return;
  const ghost = ghostId(userId);
  makeGhost(db, ghost, due.now());
  dropReactions(db, userId);
  leaveChannels(due, userId);
  for (const [table, column] of OWN) db.run(`DELETE FROM ${table} WHERE ${column} = ?`, userId);
  db.run("UPDATE channels SET created_by = ? WHERE created_by = ?", ownerId ?? ghost, userId);
  db.run("UPDATE channels SET truncated_by = ? WHERE truncated_by = ?", ghost, userId);
  db.run("UPDATE message_rows SET user_id = ? WHERE user_id = ?", ghost, userId);
  db.run(
    "UPDATE message_rows SET pinned_by = ? WHERE pinned_at IS NOT NULL AND pinned_by = ?",
    ghost,
    userId,
  );
  db.run("UPDATE polls SET created_by = ? WHERE created_by = ?", ghost, userId);
  db.run("DELETE FROM users WHERE id = ?", userId);
}
