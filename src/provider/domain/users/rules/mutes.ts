/** Mutes users: their messages arrive, but raise no unread count and no push (specification/moderation.md §3). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { canInType } from "../../access/view/policy.ts";
import { actor } from "./acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { ownUser } from "./current-user.ts";
import { userMutesOf } from "../view/mute-view.ts";
import { People } from "../view/users.ts";
import { findUser } from "../storage/rows.ts";
import { userMutes } from "../storage/mutes.ts";

const MINUTE = 60_000_000;

interface Targets {
  ids: string[];
  /** The key that contained them, for errors. */
  field: "target_id" | "target_ids";
}

function readTargets(check: BodyReader): Targets {
  const { target_id: singleId, target_ids: idList } = check.read(moderationBodies.unmuteUser);
  const ids = [...new Set([...(singleId === undefined ? [] : [singleId]), ...(idList ?? [])])];
  if (ids.length === 0) check.fail("target_id", "is required");
  return { ids, field: idList ? "target_ids" : "target_id" };
}

/** Splits known and unknown ids; a deleted user counts as unknown. */
function splitKnown(call: RouteCall, ids: string[]): { known: string[]; unknown: string[] } {
  const known = ids.filter((id) => findUser(call.db, id)?.deleted_at === null);
  return { known, unknown: ids.filter((id) => !known.includes(id)) };
}

/** Emits `notification.mutes_updated` to all connections of the muting user. */
function publishMutes({ db, emit }: Pick<DueContext, "db" | "emit">, userId: string, now: number): void {
  const people = new People(db, emit);
  emit.user(userId, {
    type: "notification.mutes_updated",
    me: { ...people.get(userId), mutes: userMutesOf(db, people, userId, now) },
  });
}

/** Emits the event to servers, with one target as `target_user` and several as `target_users`. */
function publishToServers(
  call: RouteCall,
  type: "user.muted" | "user.unmuted",
  userId: string,
  ids: string[],
): void {
  const people = new People(call.db, call.emit);
  const targets = ids.map((id) => people.get(id));
  call.emit.server({
    type,
    user: people.get(userId),
    ...(targets.length === 1 ? { target_user: targets[0] } : { target_users: targets }),
  });
}

/** Mutes users for `minutes` from `now` (0 = forever); muting again renews both times. */
export function muteAll(
  call: RouteCall,
  userId: string,
  ids: readonly string[],
  minutes: number,
  now: number,
): void {
  if (ids.length === 0) return;
  // Both times from one reading of the clock, so that a mute of a minute lasts exactly a minute.
  const expires = minutes === 0 ? null : now + minutes * MINUTE;
  const mute = { user_id: userId, created_at: now, updated_at: now, expires };
  for (const id of ids) userMutes.put(call.db, { ...mute, target_id: id }, ["created_at"]);
  publishMutes(call, userId, now);
  publishToServers(call, "user.muted", userId, [...ids]);
}

/** Removes mutes; emits events only when there were some. */
export function unmuteAll(call: RouteCall, userId: string, ids: readonly string[]): void {
  const ended = ids.filter((id) => userMutes.remove(call.db, { user_id: userId, target_id: id }));
  if (ended.length === 0) return;
  publishMutes(call, userId, call.now());
  publishToServers(call, "user.unmuted", userId, ended);
}

/** `timeout` counts minutes from now; absent or 0 = for ever. */
export function muteUser(call: RouteCall): Reply<"muteUser"> {
  const { db, emit } = call;
  const me = actor(call);
  if (!canInType(call, ".app", "mute-user")) throw ApiProblem.notAllowed("You are not allowed to mute users");
  const check = new BodyReader(call.body);
  const { ids, field } = readTargets(check);
  const { timeout: minutes = 0 } = check.read({ timeout: moderationBodies.muteUser.timeout });
  if (ids.includes(me.id)) check.fail(field, "must not be yourself");
  check.done();
  const { known, unknown } = splitKnown(call, ids);
  const now = call.now();
  muteAll(call, me.id, known, minutes, now);
  const mutes = userMutesOf(db, new People(db, emit), me.id, now).filter(({ target }) =>
    known.includes(target.id),
  );
  return {
    ...(mutes.length === 1 ? { mute: mutes[0] } : {}),
    ...(field === "target_ids" ? { mutes } : {}),
    own_user: ownUser(db, emit, me.id, now),
    ...(unknown.length > 0 ? { non_existing_users: unknown } : {}),
  };
}

export function unmuteUser(call: RouteCall): Reply<"unmuteUser"> {
  const me = actor(call);
  const check = new BodyReader(call.body);
  const { ids, field } = readTargets(check);
  if (ids.includes(me.id)) check.fail(field, "must not be yourself");
  check.done();
  const { unknown } = splitKnown(call, ids);
  unmuteAll(call, me.id, ids);
  return unknown.length > 0 ? { non_existing_users: unknown } : {};
}

/** Removes expired mutes and notifies their owner (specification/moderation.md §3). */
export const muteWork: DueWork = {
  name: "user mutes",
  next: (db) => userMutes.min(db, "expires", { expires: { not: null } }),
  run(due) {
    const now = due.now();
    const expired = { expires: { not: null, upTo: now } };
    const first = userMutes.find(due.db, expired, { by: ["expires"], limit: 1 });
    if (!first) return;
    userMutes.remove(due.db, { user_id: first.user_id, ...expired });
    publishMutes(due, first.user_id, now);
  },
};
