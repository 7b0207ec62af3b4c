/** Deactivates and reactivates users, on request with their messages and channels (specification/users.md §5). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { splitCid } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { type Fields, readBody, invalidField } from "../../validation/check.ts";
import { deleteChannel } from "../../channels/rules/lifecycle.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { channelView } from "../../channels/view/channels.ts";
import { attemptPart } from "../../query/attempt.ts";
import { serverCall } from "../../query/server-call.ts";
import { insertTask, type OpenTask, type StepResult } from "../../jobs/storage/tasks.ts";
import {
  deleteMessagesOf,
  deleteSomeMessagesOf,
  publishUserMessagesDeleted,
} from "../../messages/rules/delete-of-user.ts";
import { undeleteMessage } from "../../messages/rules/undelete.ts";
import { devices } from "../../devices/storage/devices.ts";
import { writeUser } from "../../users/rules/fields.ts";
import { fullUser } from "../../users/view/private-view.ts";
import { People, publicUser } from "../../users/view/users.ts";
import { userRow, type UserRow, setDeactivated } from "../../users/storage/rows.ts";
import { memberIds } from "../../channels/storage/members.ts";
import { cidsCreatedBy, cidsDeletedAt, restoreChannel } from "../../channels/storage/change.ts";
import { deletedMessageIds } from "../../messages/storage/by-user.ts";

interface ContentKinds {
  messages: boolean;
  channels: boolean;
}
type DeactivateTask = ContentKinds & { ids: string[]; at: number };
type ReactivateTask = ContentKinds & { ids: string[]; moments: Record<string, number>; by: string | null };

export const uniqueIds = (ids: readonly string[]): string[] => [...new Set(ids)];

function publishToServers(
  due: DueContext,
  type: "user.deactivated" | "user.reactivated",
  row: UserRow,
  actorId: string | undefined,
): void {
  const people = new People(due.db, due.emit);
  due.emit.server({
    type,
    user: publicUser(row, due.emit.online(row.id)),
    ...(actorId === undefined ? {} : { created_by: people.get(actorId), created_by_id: actorId }),
  });
}

/** Marks the user and closes its connections. `now` identifies what a later reactivation restores. */
function deactivate(
  call: RouteCall,
  id: string,
  actorId: string | undefined,
  now: number,
  field = "id",
): void {
  const row = userRow(call.db, id);
  if (row.deactivated_at !== null)
    throw invalidField(field, `names a user who is deactivated already: ${id}`);
  setDeactivated(call.db, id, now, now);
  devices.remove(call.db, { user_id: id });
  call.emit.disconnect({ userId: id }, 5, `user ${id} is deactivated`);
  publishToServers(call, "user.deactivated", userRow(call.db, id), actorId);
}

/** Soft-deletes the user's messages and the channels it created, all with the deletion time `deactivatedAt`. */
function hideContent(due: DueContext, id: string, parts: ContentKinds, deactivatedAt: number): void {
  const callAtTime = serverCall({ ...due, now: () => deactivatedAt }, "deactivateUser", {});
  if (parts.messages) deleteMessagesOf(callAtTime, id, "soft", undefined, deactivatedAt);
  if (parts.channels)
    for (const cid of cidsCreatedBy(due.db, id))
      deleteChannel({ ...callAtTime, name: "deleteChannel", path: splitCid(cid)! });
}

/** Restores what was deleted at this time; a reply whose parent stays deleted is not restored. */
function restoreContent(
  due: DueContext,
  id: string,
  parts: ContentKinds,
  time: number,
  actorId: string,
): void {
  const { db, emit } = due;
  if (parts.channels)
    for (const cid of cidsDeletedAt(db, id, time)) {
      restoreChannel(db, cid, due.now());
      const channel = findChannel(db, cid)!;
      const people = new People(db, emit);
      for (const userId of memberIds(db, cid))
        emit.user(userId, { type: "channel.visible", channel: channelView(people, channel) }, { cid });
    }
  if (!parts.messages) return;
  for (const messageId of deletedMessageIds(db, id, time)) {
    const request = { path: { id: messageId }, body: { undeleted_by: actorId } };
    const outcome = attemptPart(due, (partEmit) =>
      undeleteMessage(serverCall({ ...due, emit: partEmit }, "undeleteMessage", request, actorId)),
    );
    if ("thrown" in outcome && !(outcome.thrown instanceof ApiProblem)) throw outcome.thrown;
  }
}

function existingUserId(call: RouteCall, id: string | undefined): string | undefined {
  return id === undefined ? undefined : userRow(call.db, id).id;
}

export function deactivateUser(call: RouteCall): Reply<"deactivateUser"> {
  const { db, emit } = call;
  const id = userRow(call.db, call.path.id ?? "").id;
  const fields = readBody(call.body, userBodies.deactivateUser);
  const messages = fields.mark_messages_deleted ?? false;
  const actorId = existingUserId(call, fields.created_by_id);
  const deactivatedAt = call.now();
  deactivate(call, id, actorId, deactivatedAt);
  hideContent(call, id, { messages, channels: false }, deactivatedAt);
  return { user: fullUser({ db, emit, now: deactivatedAt }, userRow(db, id), "server") };
}

/** Marks all users at once, or none; a task hides their messages and channels user by user. */
export function deactivateUsers(call: RouteCall): Reply<"deactivateUsers"> {
  const fields = readBody(call.body, userBodies.deactivateUsers);
  const { mark_messages_deleted: messages = false, mark_channels_deleted: channels = false } = fields;
  const ids = uniqueIds(fields.user_ids);
  const actorId = existingUserId(call, fields.created_by_id);
  const deactivatedAt = call.now();
  for (const id of ids) userRow(call.db, id);
  for (const id of ids) deactivate(call, id, actorId, deactivatedAt, "user_ids");
  const payload = { ids, messages, channels, at: deactivatedAt };
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "users.deactivate", payload) };
}

/** Returns when the user was deactivated. */
function reactivate(
  call: RouteCall,
  id: string,
  name: string | undefined,
  actorId: string | undefined,
  field = "id",
): number {
  const row = userRow(call.db, id);
  const deactivatedAt = row.deactivated_at;
  if (deactivatedAt === null) throw invalidField(field, `names a user who is not deactivated: ${id}`);
  const now = call.now();
  setDeactivated(call.db, id, null, now);
  if (name !== undefined) writeUser(call.db, id, row, { name, data: JSON.parse(row.data) as Fields }, now);
  publishToServers(call, "user.reactivated", userRow(call.db, id), actorId);
  return deactivatedAt;
}

export function reactivateUser(call: RouteCall): Reply<"reactivateUser"> {
  const { db, emit } = call;
  const id = userRow(call.db, call.path.id ?? "").id;
  const fields = readBody(call.body, userBodies.reactivateUser);
  const { restore_messages: messages = false, restore_channels: channels = false } = fields;
  const actorId = existingUserId(call, fields.created_by_id);
  const deactivatedAt = reactivate(call, id, fields.name, actorId);
  restoreContent(call, id, { messages, channels }, deactivatedAt, actorId ?? id);
  return { user: fullUser({ db, emit, now: call.now() }, userRow(db, id), "server") };
}

export function reactivateUsers(call: RouteCall): Reply<"reactivateUsers"> {
  const fields = readBody(call.body, userBodies.reactivateUsers);
  const { restore_messages: messages = false, restore_channels: channels = false } = fields;
  const ids = uniqueIds(fields.user_ids);
  const actorId = existingUserId(call, fields.created_by_id);
  for (const id of ids) userRow(call.db, id);
  const moments = Object.fromEntries(
    ids.map((id) => [id, reactivate(call, id, undefined, actorId, "user_ids")]),
  );
  const payload = { ids, messages, channels, moments, by: actorId ?? null };
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "users.reactivate", payload) };
}

/** How far a task over users came: the index of the user, and the channels in which messages of that user were deleted so far. */
interface Progress {
  user: number;
  cids: string[];
}

export const userTaskProgress = ({ state }: OpenTask): Progress =>
  (state as Progress | undefined) ?? { user: 0, cids: [] };

/** Moves a task on to the next user, or finishes it after `rounds` over all users. */
export function nextUserStep(ids: string[], user: number, rounds = 1): StepResult {
  if (user + 1 < rounds * ids.length) return { state: { user: user + 1, cids: [] } satisfies Progress };
  return { result: Object.fromEntries(ids.map((id) => [id, { status: "ok" }])) };
}

/** One step: up to a thousand messages of a user, or the rest of what is hidden with a user. */
export function deactivateStep(due: DueContext, task: OpenTask): StepResult {
  const { ids, messages, channels, at: deactivatedAt } = task.payload as unknown as DeactivateTask;
  const { user, cids } = userTaskProgress(task);
  const id = ids[user]!;
  if (messages) {
    const call = serverCall(due, "deactivateUsers", {});
    const part = deleteSomeMessagesOf(call, id, "soft", deactivatedAt);
    if (part.length > 0)
      return { state: { user, cids: [...new Set([...cids, ...part])] } satisfies Progress };
    publishUserMessagesDeleted(call, id, "soft", cids, true);
  }
  hideContent(due, id, { messages: false, channels }, deactivatedAt);
  return nextUserStep(ids, user);
}

/** One user a step. */
export function reactivateStep(due: DueContext, task: OpenTask): StepResult {
  const payload = task.payload as unknown as ReactivateTask;
  const { user } = userTaskProgress(task);
  const id = payload.ids[user]!;
  restoreContent(due, id, payload, payload.moments[id]!, payload.by ?? id);
  return nextUserStep(payload.ids, user);
}
