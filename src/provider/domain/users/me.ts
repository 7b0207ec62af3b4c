/** The own user: the private view of `me`, the merge that a connect makes, and being online (users.md §3–4, §12). */
import { isUserId } from "../../../wire/ids.ts";
import type { OwnUser, User } from "../../../wire/user.ts";
import { Refusal } from "../../handler.ts";
import type { Emit } from "../../realtime/emit.ts";
import type { Database } from "../../store/database.ts";
import { Check, type Fields } from "../asked/check.ts";
import { channelMutesOf } from "./mute-view.ts";
import { unreadTotals, unreadThreads } from "../channels/unread.ts";
import { mergeUser, readUserFields } from "./fields.ts";
import { findUser, People, privateUser, publicUser, userRow } from "./view.ts";

/** `me` of the first frame: the user with its mutes, hidden channels and unread counters. 16 for an unknown user. */
export function ownUser(db: Database, emit: Emit, userId: string, nowMicros: number): OwnUser {
  const row = userRow(db, userId);
  const totals = unreadTotals(db, userId);
  const hidden = db.all<{ cid: string }>(
    "SELECT cid FROM members WHERE user_id = ? AND hidden_at IS NOT NULL ORDER BY hidden_at DESC LIMIT 100",
    userId,
  );
  return {
    ...privateUser(row, true),
    blocked_user_ids: [],
    devices: [],
    mutes: [],
    channel_mutes: channelMutesOf(db, new People(db, emit), userId, nowMicros),
    latest_hidden_channels: hidden.map(({ cid }) => cid),
    ...totals,
    unread_threads: unreadThreads(db, userId),
    total_unread_count_by_team: {},
    push_preferences: { chat_level: "all" },
  };
}

/**
 * What a connect writes: `details` are merged into the user, who is made with role `user` when missing; `last_active`
 * moves when `live`. `user.updated` goes out only when a visible field changed, `user.presence.changed` with `invisible`.
 */
export function connectUser(
  db: Database,
  emit: Emit,
  userId: string,
  details: Fields,
  nowMicros: number,
  live = true,
): void {
  if (!isUserId(userId))
    throw new Refusal(4, `Invalid user id ${userId.slice(0, 300)}`, {
      fields: { user_id: "is not a user id" },
    });
  const check = new Check(details, "user_details.");
  const fields = readUserFields(check, details);
  check.done();
  const before = findUser(db, userId);
  if (before?.deleted_at != null) throw new Refusal(5, `User ${userId} is deleted`);
  const changed = mergeUser(db, userId, before, fields, nowMicros);
  if (live) db.run("UPDATE users SET last_active = ? WHERE id = ?", nowMicros, userId);
  if (!before || !changed) return;
  const after = userRow(db, userId);
  const user = publicUser(after, emit.online(userId));
  if (changed.visible) emit.presence(userId, { type: "user.updated", user });
  if (changed.presence) emit.presence(userId, { type: "user.presence.changed", user });
}

/** Writes `last_active`; call it at the first connection, while it lasts and at its end. Answers the public user for presence events. */
export function touchOnline(db: Database, emit: Emit, userId: string, nowMicros: number): User | undefined {
  db.run("UPDATE users SET last_active = ? WHERE id = ?", nowMicros, userId);
  const row = findUser(db, userId);
  return row && publicUser(row, emit.online(userId));
}
