/** Previews of commands: visible only to their author and not stored as messages until a button is pressed (specification/messages.md §5.1). */
import { PREVIEW_LIFETIME } from "../../../../wire/constants.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { invalidField } from "../../../base/problems.ts";
import type { Database } from "../../../base/database.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { findMessage } from "../../messages/storage/rows.ts";
import {
  newMessageRow,
  storedNewMessage,
  type NewMessage,
  type StoredNewMessage,
} from "../../messages/storage/new-message.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { GIPHY, giphyAttachment } from "../../query/giphy.ts";
import { findPreview, commandPreviews, type PreviewRow } from "../storage/previews.ts";

/** Stores a preview and returns its view; sending the same id again replaces it. */
export function createPreview(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
): Message {
  const now = call.now();
  const other = findPreview(call.db, message.id, now);
  if (other && other.user_id !== author.id)
    throw invalidField("message.id", "already exists", `Message ${message.id} already exists`);
  const row: PreviewRow = {
    id: message.id,
    cid: permissions.channel.cid,
    user_id: author.id,
    created_at: now,
    expires: now + PREVIEW_LIFETIME * 1000,
    turn: 0,
    data: JSON.stringify(storedNewMessage(message)),
  };
  commandPreviews.put(call.db, row);
  return previewView(call, permissions, author, row);
}

export interface Previewed {
  message: NewMessage;
  parentDeleted: boolean;
}

/** Whether a message waits for a button: the app's own command answered with some. */
export const hasButtons = ({ content }: NewMessage): boolean =>
  content.attachments.some(({ actions }) => actions !== undefined && actions.length > 0);

/** The message of a preview, of a GIF with the current picture; `parentDeleted` when the message it replies to was deleted. */
export function previewedMessage(db: Database, row: PreviewRow, buttons: boolean): Previewed {
  const { parentId, ...message } = JSON.parse(row.data) as StoredNewMessage;
  const parent = parentId === undefined ? undefined : findMessage(db, parentId);
  const gifs =
    message.command?.command === GIPHY ? [giphyAttachment(message.command.args, row.turn, buttons)] : [];
  const content = { ...message.content, attachments: [...message.content.attachments, ...gifs] };
  return {
    message: { ...message, content, ...(parent ? { parent } : {}) },
    parentDeleted: parentId !== undefined && (!parent || parent.type === "deleted"),
  };
}

export function previewView(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  row: PreviewRow,
): Message {
  const { message } = previewedMessage(call.db, row, true);
  const shown = {
    ...newMessageRow(permissions, author, message, row.created_at),
    type: "ephemeral" as const,
  };
  return messageView(viewContext(call.db, call.emit, call.now(), author.id), shown);
}
