/** Pending messages: stored separately and shown only to their author until a server commits them (specification/messages.md §4). */
import type { Message } from "../../../../wire/entities/message.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { jsonBytes, invalidField, type BodyReader } from "../../validation/check.ts";
import { callerPermissions, type Permissions } from "../../access/view/policy.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { userRow, type UserRow } from "../../users/storage/rows.ts";
import { findMessage, noMessage } from "../storage/rows.ts";
import { storeMessage } from "./store.ts";
import { storedNewMessage, type NewMessage } from "../storage/new-message.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { pendingMessages, type Metadata, type PendingRow, pendingMessage } from "../storage/pending.ts";
import { asAuthor, pendingView, pendingFor } from "../view/pending.ts";

/** Most bytes of JSON of `pending_message_metadata`. */
const METADATA_LIMIT = 5 * 1024;

export function checkMetadata(check: BodyReader, metadata: Metadata | undefined): void {
  if (!metadata) return;
  if (!Object.values(metadata).every((value) => typeof value === "string"))
    check.fail("pending_message_metadata", "must be a map of texts");
  if (jsonBytes(metadata) > METADATA_LIMIT)
    check.fail("pending_message_metadata", `must be at most ${METADATA_LIMIT} bytes of JSON`);
}

/** Stores a checked message as pending; only the author's connections and servers get events. */
export function storePending(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
  metadata: Metadata | undefined,
): Message {
  const { db, emit } = call;
  const { cid } = permissions.channel;
  const now = call.now();
  const row: PendingRow = {
    id: message.id,
    cid,
    user_id: author.id,
    created_at: now,
    message: JSON.stringify(storedNewMessage(message)),
    metadata: metadata ? JSON.stringify(metadata) : null,
  };
  pendingMessages.insert(db, row);
  const context = viewContext(db, emit, now, author.id);
  const view = pendingView(context, asAuthor(call, permissions, author), row, author);
  const messageKeys = { user: view.user, message: view, message_id: row.id };
  emit.watchers(cid, { type: "message.new", ...messageKeys }, new Set([author.id]));
  emit.server({
    type: "message.pending",
    cid,
    ...messageKeys,
    method: "send",
    ...(metadata ? { metadata } : {}),
  });
  return view;
}

/** Deletes a pending message, which must be `hard`. Undefined when it is not pending or not visible to the caller. */
export function deletePending(
  call: RouteCall,
  id: string,
  hard: boolean,
  check: BodyReader,
): Reply<"deleteMessage"> | undefined {
  const found = pendingFor(call, id);
  if (!found) return undefined;
  check.done();
  if (!hard) throw invalidField("hard", "is required: a pending message can only be deleted for good");
  const { message } = found;
  pendingMessages.remove(call.db, { id });
  call.emit.watchers(
    message.cid,
    { type: "message.deleted", user: message.user, message, message_id: id, hard_delete: true },
    new Set([message.user.id]),
  );
  return { message };
}

/** Stores the pending message as a new one, with its events. A second commit finds nothing pending. */
export function commitMessage(call: RouteCall): Reply<"commitMessage"> {
  const { db } = call;
  const id = call.path.id ?? "";
  const row = pendingMessages.find(db, { id });
  if (!row) {
    if (findMessage(db, id))
      throw invalidField("id", "names a message that is not pending", "The message is not pending");
    throw noMessage(id);
  }
  const author = userRow(db, row.user_id);
  const permissions = asAuthor(call, callerPermissions(call, channelRow(db, row.cid)), author);
  const message = pendingMessage(row, db);
  if (message.type === "reply" && !message.parent)
    throw invalidField("parent_id", "names a message that is gone by now");
  pendingMessages.remove(db, { id });
  return { message: storeMessage(call, permissions, author, message).view };
}
