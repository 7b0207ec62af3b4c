/** Pending messages, visible to their author and to servers (specification/messages.md §4). */
import type { Message, PendingMessage } from "../../../../wire/entities/message.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { invalidField } from "../../validation/check.ts";
import { requireReadChannel, callerPermissions, type Permissions } from "../../access/view/policy.ts";
import { channelRow, memberRow } from "../../channels/storage/rows.ts";
import { userRow, type UserRow } from "../../users/storage/rows.ts";
import { newMessageRow } from "../storage/new-message.ts";
import { messageView } from "./messages.ts";
import { viewContext, type ViewContext } from "../../users/view/view-context.ts";
import {
  type Metadata,
  type PendingRow,
  pendingMessage,
  metadataOf,
  pendingMessages,
} from "../storage/pending.ts";

/** Most pending messages in the state of one channel. */
const MAX_PENDING = 100;

/** The pending message with this id, if the caller is its author or a server. */
function pendingKnownTo(call: RouteCall, id: string): PendingRow | undefined {
  const row = pendingMessages.find(call.db, { id });
  const { kind, userId } = call.caller;
  return row && (kind === "server" || (kind === "user" && row.user_id === userId)) ? row : undefined;
}

/** Throws code 4 when the message is pending and visible to the caller: it can only be read, committed, or hard-deleted. */
export function refusePending(call: RouteCall, id: string): void {
  if (pendingKnownTo(call, id))
    throw invalidField("id", "names a pending message: it can only be read or deleted for good");
}

/** The permissions with the author's membership, also when a server acts. */
export function asAuthor(call: RouteCall, permissions: Permissions, author: UserRow): Permissions {
  return {
    ...permissions,
    userId: author.id,
    member: memberRow(call.db, permissions.channel.cid, author.id),
  };
}

export function pendingView(
  context: ViewContext,
  permissions: Permissions,
  row: PendingRow,
  author: UserRow,
): Message {
  const message = pendingMessage(row, context.db);
  const view = messageView(context, newMessageRow(permissions, author, message, row.created_at));
  if (message.location) {
    const { latitude, longitude, device, endAt } = message.location;
    view.shared_location = {
      message_id: row.id,
      channel_cid: row.cid,
      user_id: author.id,
      latitude,
      longitude,
      created_by_device_id: device,
      ...(endAt === null ? {} : { end_at: timeFromMicros(endAt) }),
      created_at: view.created_at,
      updated_at: view.updated_at,
    };
  }
  return view;
}

/** The author's pending messages in a channel, oldest first. */
export function pendingOf(call: RouteCall, context: ViewContext, permissions: Permissions): PendingMessage[] {
  if (context.viewer === undefined) return [];
  const rows = pendingMessages.list(
    call.db,
    { cid: permissions.channel.cid, user_id: context.viewer },
    { by: ["-created_at"], limit: MAX_PENDING },
  );
  if (rows.length === 0) return [];
  const author = userRow(call.db, context.viewer);
  const authorPermissions = asAuthor(call, permissions, author);
  return rows
    .toReversed()
    .map((row) => ({ message: pendingView(context, authorPermissions, row, author), ...metadataOf(row) }));
}

/** A pending message by id for its author or a server, who may still read the channel. */
export function pendingFor(
  call: RouteCall,
  id: string,
): { message: Message; metadata?: Metadata; permissions: Permissions } | undefined {
  const row = pendingKnownTo(call, id);
  if (!row) return undefined;
  const permissions = callerPermissions(call, channelRow(call.db, row.cid));
  requireReadChannel(permissions);
  const author = userRow(call.db, row.user_id);
  const context = viewContext(call.db, call.emit, call.now(), row.user_id);
  return {
    message: pendingView(context, asAuthor(call, permissions, author), row, author),
    ...metadataOf(row),
    permissions,
  };
}
