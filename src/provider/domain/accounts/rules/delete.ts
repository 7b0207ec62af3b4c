/** Deletes and restores users: users are marked at once, a task deletes their messages and channels (specification/users.md §5). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { splitCid } from "../../../../wire/ids.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { emptiedUser } from "../../../../wire/gone.ts";
import type { DueContext } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { BodyReader, readBody, invalidField } from "../../validation/check.ts";
import { deleteChannel } from "../../channels/rules/lifecycle.ts";
import { serverCall } from "../../query/server-call.ts";
import { insertTask, type OpenTask, type StepResult } from "../../jobs/storage/tasks.ts";
import {
  deleteMessagesOf,
  deleteSomeMessagesOf,
  hasManyMessagesOf,
  publishUserMessagesDeleted,
} from "../../messages/rules/delete-of-user.ts";
import { uniqueIds, nextUserStep, userTaskProgress } from "./deactivation.ts";
import { eraseSomeOf, eraseUser, isPlaceholderUserId } from "./erase.ts";
import { fullUser } from "../../users/view/private-view.ts";
import { publicUser } from "../../users/view/users.ts";
import { findUser, userRow, type UserRow, setDeleted, pruneUser, noUser } from "../../users/storage/rows.ts";
import { REACTED_PER_STEP } from "../../messages/rules/reactions.ts";
import { hasMoreReactions } from "../../messages/storage/reactions.ts";
import { twoMemberCids } from "../../channels/storage/members.ts";
import { removeUploads } from "../storage/erase.ts";
import { devices } from "../../devices/storage/devices.ts";
import type { DeletionKind } from "../../messages/storage/clearings.ts";

interface DeleteOptions {
  user: DeletionKind | undefined;
  messages: DeletionKind | undefined;
  conversations: "soft" | "hard" | undefined;
  owner: string | undefined;
  files: boolean;
}

/** R-ID-10. */
function readMode<T extends string>(check: BodyReader, key: string, values: readonly T[]): T | undefined {
  const value = check.id(key);
  if (value === undefined || (values as readonly string[]).includes(value)) return value as T | undefined;
  throw invalidField(
    key,
    `must be one of ${values.join(", ")}`,
    `invalid delete user options: ${key} must be one of ${values.join(", ")}`,
  );
}

const DELETE_MODES = ["soft", "hard", "pruning"] as const;

function readOptions(check: BodyReader): DeleteOptions {
  const user = readMode(check, "user", DELETE_MODES);
  const messages = readMode(check, "messages", DELETE_MODES);
  const conversations = readMode(check, "conversations", ["soft", "hard"]);
  if (user === "hard") {
    if (messages !== "hard") check.fail("messages", "must be hard when user is hard");
    if (conversations === "soft") check.fail("conversations", "must be hard when user is hard");
  }
  return {
    user,
    messages,
    conversations,
    owner: check.id("new_channel_owner_id"),
    files: check.flag("files") ?? false,
  };
}

/** The user, deleted or not; throws code 16 for an unknown id. */
function userOrDeleted(db: Database, id: string): UserRow {
  const row = findUser(db, id);
  if (!row) throw noUser(id);
  return row;
}

/** Marks the user as deleted, empties the profile unless the deletion is soft, so that no later event of it names the user, sends `user.deleted` and closes the user's connections. */
function markDeleted(call: RouteCall, row: UserRow, { user, messages, conversations }: DeleteOptions): void {
  const { db, emit } = call;
  const now = call.now();
  const deletedAt = row.deleted_at ?? now;
  setDeleted(db, row.id, deletedAt, now);
  if (user !== "soft") pruneUser(db, row.id);
  devices.remove(db, { user_id: row.id });
  const profile = publicUser(userOrDeleted(db, row.id), emit.online(row.id));
  emit.presence(row.id, {
    type: "user.deleted",
    user: user === "hard" ? emptiedUser(profile) : profile,
    hard_delete: user === "hard",
    mark_messages_deleted: messages !== undefined,
    delete_conversation_channels: conversations !== undefined,
    delete_user: user,
    ...(messages === undefined ? {} : { delete_messages: messages }),
    ...(conversations === undefined ? {} : { delete_conversation: conversations }),
  });
  emit.disconnect({ userId: row.id }, 5, `user ${row.id} was deleted`);
}

/** Deletes the user's two-member channels and files, as far as `options` say. Runs after the messages are deleted. */
function deleteChannelsAndFiles(due: DueContext, id: string, options: DeleteOptions): void {
  const { db } = due;
  const call = serverCall(due, "deleteUsers", {});
  if (options.conversations)
    for (const cid of twoMemberCids(db, id))
      deleteChannel({
        ...call,
        name: "deleteChannel",
        path: splitCid(cid)!,
        query: options.conversations === "hard" ? { hard_delete: "true" } : {},
      });
  if (options.files) for (const path of removeUploads(db, id)) due.uploads?.discard(path);
}

export function deleteUsers(call: RouteCall): Reply<"deleteUsers"> {
  const check = new BodyReader(call.body);
  const options = readOptions(check);
  const ids = uniqueIds(check.read({ user_ids: userBodies.deleteUsers.user_ids }).user_ids);
  check.done();
  const rows = ids.map((id) => userOrDeleted(call.db, id));
  if (options.owner !== undefined) {
    if (ids.includes(options.owner))
      check.fail("new_channel_owner_id", "must not be one of the deleted users");
    check.done();
    userRow(call.db, options.owner);
  }
  if (options.user) for (const row of rows) markDeleted(call, row, options);
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "users.delete", { ids, options }) };
}

/**
 * One step: up to a thousand messages of a user, the rest of what is deleted with a user, or the erasing of a user. Users are erased
 * in a second round, because removing them from groups earlier would turn those into two-member channels.
 */
export function deleteUsersStep(due: DueContext, task: OpenTask): StepResult {
  const ids = task.payload.ids as string[];
  const options = task.payload.options as DeleteOptions;
  const { user, cids } = userTaskProgress(task);
  const rounds = options.user === "hard" ? 2 : 1;
  const id = ids[user % ids.length]!;
  if (user >= ids.length) {
    if (eraseSomeOf(due, id)) return { state: { user, cids } };
    eraseUser(due, id, options.owner);
  } else {
    if (options.messages) {
      const call = serverCall(due, "deleteUsers", {});
      const part = deleteSomeMessagesOf(call, id, options.messages, task.createdAt);
      if (part.length > 0) return { state: { user, cids: [...new Set([...cids, ...part])] } };
      publishUserMessagesDeleted(call, id, options.messages, cids, true);
    }
    deleteChannelsAndFiles(due, id, options);
  }
  return nextUserStep(ids, user, rounds);
}

export function deleteUser(call: RouteCall): Reply<"deleteUser"> {
  const { db, emit } = call;
  const row = userOrDeleted(db, call.path.id ?? "");
  const check = new BodyReader(call.query);
  const hard = check.flag("hard_delete") ?? false;
  const messages = check.flag("mark_messages_deleted") ?? false;
  const conversations = check.flag("delete_conversation_channels") ?? false;
  check.done();
  if (row.deleted_at !== null && !hard) throw noUser(row.id);
  const options: DeleteOptions = {
    user: hard ? "hard" : "soft",
    messages: messages ? (hard ? "hard" : "soft") : undefined,
    conversations: conversations ? (hard ? "hard" : "soft") : undefined,
    owner: undefined,
    files: false,
  };
  markDeleted(call, row, options);
  const user = fullUser({ db, emit, now: call.now() }, userOrDeleted(db, row.id), "server");
  // Too many messages or reactions for one call are deleted by a task, which then does the rest, too.
  const isMuch =
    (options.messages && hasManyMessagesOf(db, row.id)) ||
    (hard && hasMoreReactions(db, row.id, REACTED_PER_STEP));
  if (isMuch) {
    insertTask(call.db, call.uuid(), call.now(), "users.delete", { ids: [row.id], options });
    return { user };
  }
  if (options.messages) deleteMessagesOf(serverCall(call, "deleteUser", {}), row.id, options.messages);
  deleteChannelsAndFiles(call, row.id, options);
  if (hard) eraseUser(call, row.id, undefined);
  return { user };
}

/** Restores the profiles of deleted users, not their memberships and messages; users who are not deleted are left alone. */
export function restoreUsers(call: RouteCall): Reply<"restoreUsers"> {
  const { db, emit } = call;
  const ids = uniqueIds(readBody(call.body, userBodies.restoreUsers).user_ids);
  const rows = ids.map((id) => userOrDeleted(db, id));
  for (const { id, deleted_at } of rows) {
    if (deleted_at === null) continue;
    if (isPlaceholderUserId(id)) throw noUser(id);
    setDeleted(db, id, null, call.now());
    emit.presence(id, { type: "user.updated", user: publicUser(userRow(db, id), emit.online(id)) });
  }
  return {};
}
