/** Deletes users: marked at once, their messages and channels follow in a task (specification/users.md §5). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { splitCid } from "../../../../wire/ids.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { BodyReader, readBody, invalidField } from "../../validation/check.ts";
import { deleteChannel } from "../../channels/rules/life.ts";
import { serverCall } from "../../query/server-call.ts";
import { insertTask, type OpenTask, type StepResult } from "../../jobs/storage/tasks.ts";
import {
  deleteMessagesOf,
  deletePartOf,
  wroteMuch,
  publishDeletedOf,
} from "../../messages/rules/delete-of-user.ts";
import { once } from "./deactivation.ts";
import { eraseUser, isDeletedUserId } from "./erase.ts";
import { fullUser } from "../../users/view/full-view.ts";
import { publicUser } from "../../users/view/users.ts";
import { findUser, userRow, type UserRow, setDeleted, pruneUser, noUser } from "../../users/storage/rows.ts";
import { cidsOfTwo } from "../../channels/storage/members.ts";
import { removeUploads } from "../storage/erase.ts";
import { removeDevicesOf } from "../../devices/storage/devices.ts";
import type { HowToDelete } from "../../messages/storage/clearings.ts";

interface Options {
  user: HowToDelete | undefined;
  messages: HowToDelete | undefined;
  conversations: "soft" | "hard" | undefined;
  owner: string | undefined;
  files: boolean;
}

/** R-ID-10. */
function choice<T extends string>(check: BodyReader, key: string, values: readonly T[]): T | undefined {
  const value = check.id(key);
  if (value === undefined || (values as readonly string[]).includes(value)) return value as T | undefined;
  throw invalidField(
    key,
    `must be one of ${values.join(", ")}`,
    `invalid delete user options: ${key} must be one of ${values.join(", ")}`,
  );
}

const WAYS = ["soft", "hard", "pruning"] as const;

function readOptions(check: BodyReader): Options {
  const user = choice(check, "user", WAYS);
  const messages = choice(check, "messages", WAYS);
  const conversations = choice(check, "conversations", ["soft", "hard"]);
  if (user === "hard") {
    if (messages !== "hard") check.fail("messages", "must be hard when user is hard");
    if (conversations !== "hard") check.fail("conversations", "must be hard when user is hard");
  }
  return {
    user,
    messages,
    conversations,
    owner: check.id("new_channel_owner_id"),
    files: check.flag("files") ?? false,
  };
}

/** A user that is there, deleted or not: 404 code 16 otherwise. */
function known(db: Database, id: string): UserRow {
  const row = findUser(db, id);
  if (!row) throw noUser(id);
  return row;
}

/** Who may not be any more: connections end, the profile is emptied when it is pruned, and those who follow it are told. */
function mark(call: RouteCall, row: UserRow, { user, messages, conversations }: Options): void {
  const { db, emit } = call;
  const now = call.now();
  const deletedAt = row.deleted_at ?? now;
  setDeleted(db, row.id, deletedAt, now);
  if (user === "pruning") pruneUser(db, row.id);
  removeDevicesOf(db, row.id);
  emit.presence(row.id, {
    type: "user.deleted",
    user: publicUser(known(db, row.id), emit.online(row.id)),
    hard_delete: user === "hard",
    mark_messages_deleted: messages !== undefined,
    delete_conversation_channels: conversations !== undefined,
    delete_user: user,
    ...(messages === undefined ? {} : { delete_messages: messages }),
    ...(conversations === undefined ? {} : { delete_conversation: conversations }),
  });
  emit.disconnect({ userId: row.id }, 5, `user ${row.id} was deleted`);
}

/** What follows the messages: channels of two and files. */
function carryOut(due: DueContext, id: string, options: Options): void {
  const { db } = due;
  const call = serverCall(due, "deleteUsers", {});
  if (options.conversations)
    for (const cid of cidsOfTwo(db, id))
      deleteChannel({
        ...call,
        name: "deleteChannel",
        path: splitCid(cid)!,
        query: options.conversations === "hard" ? { hard_delete: "true" } : {},
      });
  if (options.files) for (const path of removeUploads(db, id)) due.uploads?.discard(path);
}

/** The user itself, when it goes for good. */
function erase(due: DueContext, id: string, options: Options): void {
  if (options.user === "hard") eraseUser(due, id, options.owner);
}

export function deleteUsers(call: RouteCall): Reply<"deleteUsers"> {
  const check = new BodyReader(call.body);
  const options = readOptions(check);
  const ids = once(check.read({ user_ids: userBodies.deleteUsers.user_ids }).user_ids);
  check.done();
  const rows = ids.map((id) => known(call.db, id));
  if (options.owner !== undefined) {
    if (ids.includes(options.owner))
      check.fail("new_channel_owner_id", "must not be one of the deleted users");
    check.done();
    userRow(call.db, options.owner);
  }
  if (options.user) for (const row of rows) mark(call, row, options);
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "users.delete", { ids, options }) };
}

/**
 * How far the task came: which user, and where messages of it were deleted so far. Past the last one the users are
 * counted once more: they are erased at the end, since a group that lost its members is no channel of two.
 */
interface Progress {
  user: number;
  cids: string[];
}

/** A thousand messages, or all the rest of one user, or its erasure, a step. */
export function deleteUsersStep(due: DueContext, { createdAt, payload, state }: OpenTask): StepResult {
  const ids = payload.ids as string[];
  const options = payload.options as Options;
  const { user, cids } = (state as Progress | undefined) ?? { user: 0, cids: [] };
  const going = options.user === "hard" ? 2 * ids.length : ids.length;
  const id = ids[user % ids.length]!;
  if (user >= ids.length) erase(due, id, options);
  else if (options.messages) {
    const call = serverCall(due, "deleteUsers", {});
    const part = deletePartOf(call, id, options.messages, createdAt);
    if (part.length > 0) return { state: { user, cids: [...new Set([...cids, ...part])] } };
    publishDeletedOf(call, id, options.messages, cids, true);
  }
  if (user < ids.length) carryOut(due, id, options);
  if (user + 1 < going) return { state: { user: user + 1, cids: [] } };
  return { result: Object.fromEntries(ids.map((one) => [one, { status: "ok" }])) };
}

export function deleteUser(call: RouteCall): Reply<"deleteUser"> {
  const { db, emit } = call;
  const row = known(db, call.path.id ?? "");
  const check = new BodyReader(call.query);
  const hard = check.flag("hard_delete") ?? false;
  const messages = check.flag("mark_messages_deleted") ?? false;
  const conversations = check.flag("delete_conversation_channels") ?? false;
  check.done();
  if (row.deleted_at !== null && !hard) throw noUser(row.id);
  const options: Options = {
    user: hard ? "hard" : "soft",
    messages: messages ? (hard ? "hard" : "soft") : undefined,
    conversations: conversations ? (hard ? "hard" : "soft") : undefined,
    owner: undefined,
    files: false,
  };
  mark(call, row, options);
  const user = fullUser({ db, emit, now: call.now() }, known(db, row.id), "server");
  // Very many messages are deleted by a task, as with many users, and what follows from it waits for the task.
  if (options.messages && wroteMuch(db, row.id)) {
    insertTask(call.db, call.uuid(), call.now(), "users.delete", { ids: [row.id], options });
    return { user };
  }
  if (options.messages) deleteMessagesOf(serverCall(call, "deleteUser", {}), row.id, options.messages);
  carryOut(call, row.id, options);
  erase(call, row.id, options);
  return { user };
}

/** The profile comes back; memberships and messages that were deleted do not. A user who is not deleted stays as it is. */
export function restoreUsers(call: RouteCall): Reply<"restoreUsers"> {
  const { db, emit } = call;
  const ids = once(readBody(call.body, userBodies.restoreUsers).user_ids);
  const rows = ids.map((id) => known(db, id));
  for (const { id, deleted_at } of rows) {
    if (deleted_at === null) continue;
    if (isDeletedUserId(id)) throw noUser(id);
    setDeleted(db, id, null, call.now());
    emit.presence(id, { type: "user.updated", user: publicUser(userRow(db, id), emit.online(id)) });
  }
  return {};
}
