/** A message to be stored: its content and options, and the row made of them. */
import type { Attachment } from "../../../../wire/entities/attachment.ts";
import { htmlOf } from "../../../../text/html.ts";
import { isPlain } from "../../../../text/markup.ts";
import type { Fields } from "../../validation/check.ts";
import type { MessageData, MessageRow } from "./rows.ts";
import type { MessageType } from "../../../../wire/entities/message.ts";
import type { Permissions } from "../../access/view/policy.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import type { Position } from "../../../../model/locations.ts";

/** The content of a message, which its author may change. */
export interface Content {
  text: string;
  attachments: Attachment[];
  /** Ids as sent; unknown ones are dropped later. */
  mentioned: string[];
  quotedId: string | undefined;
  pollId: string | undefined;
  mentionedChannel: boolean;
  mentionedHere: boolean;
  /** From servers only. */
  html: string;
  mml: string;
  custom: Fields;
}

const renderedOf = (text: string): Pick<MessageData, "rendered"> =>
  isPlain(text) ? {} : { rendered: htmlOf(text) };

/** The stored form of a content; `mentioned` contains known users only. */
export function messageData(content: Content, mentioned: string[]): MessageData {
  return {
    ...(content.attachments.length ? { attachments: content.attachments } : {}),
    ...(mentioned.length ? { mentioned } : {}),
    ...(content.mentionedChannel ? { mentioned_channel: true } : {}),
    ...(content.mentionedHere ? { mentioned_here: true } : {}),
    ...(content.html ? { html: content.html } : renderedOf(content.text)),
    ...(content.mml ? { mml: content.mml } : {}),
    ...(Object.keys(content.custom).length ? { custom: content.custom } : {}),
  };
}

export interface NewMessage {
  id: string;
  type: Exclude<MessageType, "deleted" | "ephemeral" | "error">;
  content: Content;
  /** Known users only. */
  mentioned: string[];
  command?: { command: string; args: string };
  parent?: MessageRow;
  showInChannel?: boolean;
  silent?: boolean;
  /** The only readers besides the author; never empty. */
  restricted?: string[];
  /** The author is shadow-banned or a blocklist shadows the text: only the author sees the message and gets its events. */
  shadowed?: boolean;
  pinned?: { expires: number | null };
  location?: Position & { device: string; endAt: number | null };
  keepHidden?: boolean;
  /** The address whose preview is among the attachments. */
  enriched?: string;
}

/** The JSON of a message that is not sent yet; its parent is looked up again when the message is used. */
export type StoredNewMessage = Omit<NewMessage, "parent"> & { parentId?: string };

export const storedNewMessage = ({ parent, ...message }: NewMessage): StoredNewMessage =>
  parent ? { ...message, parentId: parent.id } : message;

/** The row of a new message, before its unread counting is decided. `stamp`: its time in whole microseconds. */
export function newMessageRow(
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
  stamp: number,
): MessageRow {
  const { content } = message;
  const data: MessageData = { ...messageData(content, message.mentioned), ...message.command };
  if (message.parent && message.showInChannel) data.show_in_channel = true;
  if (message.enriched !== undefined) data.enriched = message.enriched;
  if (permissions.member?.user_id === author.id)
    data.member = {
      ...(JSON.parse(permissions.member.data) as Fields),
      channel_role: permissions.member.channel_role,
    };
  return {
    id: message.id,
    cid: permissions.channel.cid,
    created_at: stamp,
    updated_at: stamp,
    user_id: author.id,
    type: message.type,
    listed: Number(!message.parent || message.showInChannel === true),
    counts: 0,
    parent_id: message.parent?.id ?? null,
    quoted_id: content.quotedId ?? null,
    poll_id: content.pollId ?? null,
    text: content.text,
    silent: Number(message.silent ?? false),
    restricted: message.shadowed ? "[]" : message.restricted ? JSON.stringify(message.restricted) : null,
    shadowed: Number(message.shadowed ?? false),
    uncounted: null,
    pinned_at: message.pinned ? stamp : null,
    pin_expires: message.pinned?.expires ?? null,
    pinned_by: message.pinned ? author.id : null,
    deleted_at: null,
    was: null,
    text_updated_at: null,
    reply_count: 0,
    deleted_reply_count: 0,
    has_location: Number(message.location !== undefined),
    reactions: null,
    data: JSON.stringify(data),
  };
}
