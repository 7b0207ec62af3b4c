/** The current user: the private view `me`, the merge at a connect, and `last_active` (specification/users.md §3–4, §12). */
import { isUserId } from "../../../../wire/ids.ts";
import type { OwnUser, User } from "../../../../wire/entities/user.ts";
import { readApp } from "../../../store/app-settings.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Emit } from "../../../base/emit.ts";
import type { Database } from "../../../base/database.ts";
import { BodyReader, type Fields, invalidField } from "../../validation/check.ts";
import { unreadByTeam, unreadThreads, unreadTotals } from "../../reads/storage/unread.ts";
import { mergeUser, readUserFields } from "./fields.ts";
import { fullUser, pushOf } from "../view/private-view.ts";
import { publishChangedUser } from "../view/publish-user.ts";
import { publicUser } from "../view/users.ts";
import { findUser, userRow, setLastActive } from "../storage/rows.ts";
import { hiddenCids } from "../../channels/storage/members.ts";

/** `me` of the first frame: the user with mutes, hidden channels and unread counters. 16 for an unknown user. */
export function ownUser(db: Database, emit: Emit, userId: string, nowMicros: number): OwnUser {
  const row = userRow(db, userId);
  const totals = unreadTotals(db, userId);
  return {
    ...(fullUser({ db, emit, now: nowMicros }, row, "self") as OwnUser),
    online: true,
    latest_hidden_channels: hiddenCids(db, userId, MAX_HIDDEN_CHANNELS),
    ...totals,
    unread_threads: unreadThreads(db, userId),
    total_unread_count_by_team: readApp(db).multi_tenant_enabled ? unreadByTeam(db, userId) : {},
    push_preferences: pushOf(row),
  };
}

const MAX_HIDDEN_CHANNELS = 100;

interface ConnectOptions {
  /** Whether this is a real connect, which sets `last_active`. */
  live: boolean;
  wasOnline: boolean;
}

/**
 * Merges the `details` of a connect into the user, who is created with role `user` when missing. Emits `user.updated` only when
 * a visible field changed, and `user.presence.changed` when `status` changed, or `invisible` of a user who was online already.
 */
export function connectUser(
  db: Database,
  emit: Emit,
  userId: string,
  details: Fields,
  nowMicros: number,
  { live, wasOnline }: ConnectOptions = { live: true, wasOnline: emit.online(userId) },
): void {
  if (!isUserId(userId))
    throw invalidField("user_id", "is not a user id", `Invalid user id ${userId.slice(0, 300)}`);
  const check = new BodyReader(details, "user_details.");
  const fields = readUserFields(check);
  check.done();
  const before = findUser(db, userId);
  if (before?.deleted_at != null) throw ApiProblem.authentication(`User ${userId} is deleted`);
  if (live && before?.deactivated_at != null)
    throw ApiProblem.authentication(`User ${userId} is deactivated`);
  const changed = mergeUser(db, userId, before, fields, nowMicros);
  if (live) setLastActive(db, userId, nowMicros);
  if (before && changed) publishChangedUser(emit, userRow(db, userId), changed, wasOnline);
}

/** Writes `last_active`; called when a user connects, regularly while connected, and at the end. Returns the public user for presence events. */
export function touchOnline(db: Database, emit: Emit, userId: string, nowMicros: number): User | undefined {
  setLastActive(db, userId, nowMicros);
  const row = findUser(db, userId);
  return row && publicUser(row, emit.online(userId));
}
