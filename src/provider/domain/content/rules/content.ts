/** Checks the content of a message for sends and updates, in the order of specification/messages.md §4. */
import { thereIsNo } from "../../../../text/words.ts";
import { authored, sources } from "../../../../wire/bodies/messages.ts";
import { ATTACHMENTS_JSON_LIMIT, CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import { customOf } from "../../../../wire/custom.ts";
import { isMessageId } from "../../../../wire/ids.ts";
import { ApiProblem } from "../../../base/handler.ts";
import {
  checkCustom,
  isObject,
  jsonBytes,
  invalidField,
  type BodyReader,
  type Fields,
} from "../../validation/check.ts";
import { findMessage, isVisible, type MessageRow } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import { requirePermission, requireFeature, type Permissions } from "../../access/view/policy.ts";
import type { Database } from "../../../base/database.ts";
import type { Content } from "../../messages/storage/new-message.ts";
import { knownIds } from "../../users/storage/rows.ts";
import { polls } from "../../polls/storage/rows.ts";

/** `server`: the sender is a server, whose `html` and `mml` are read. */
export function readContent(check: BodyReader, source: Fields, server: boolean): Content {
  const fields = check.read(authored);
  const { text = "", attachments = [] } = fields;
  checkAttachments(check, attachments);
  const mentioned = (fields.mentioned_users ?? []).map((mention) =>
    isObject(mention) ? mention.id : mention,
  );
  if (!mentioned.every((id) => typeof id === "string"))
    check.fail("mentioned_users", "must be a list of user ids");
  const { html = "", mml = "" } = server ? check.read(sources) : {};
  const custom = customOf("message", source);
  for (const key of Object.keys(custom)) if (custom[key] === null) delete custom[key];
  checkCustom(check, custom, CUSTOM_DATA_LIMIT);
  return {
    text,
    attachments,
    mentioned: [...new Set(mentioned as string[])],
    quotedId: fields.quoted_message_id,
    pollId: fields.poll_id,
    mentionedChannel: fields.mentioned_channel ?? false,
    mentionedHere: fields.mentioned_here ?? false,
    html,
    mml,
    custom,
  };
}

export function checkAttachments(check: BodyReader, attachments: readonly unknown[]): void {
  for (const [i, attachment] of attachments.entries())
    if (!isObject(attachment)) check.fail(`attachments.${i}`, "must be an object");
    else if (jsonBytes(attachment) > ATTACHMENTS_JSON_LIMIT)
      check.fail(`attachments.${i}`, `must be at most ${ATTACHMENTS_JSON_LIMIT} bytes of JSON`);
}

export const isEmptyContent = (content: Content): boolean =>
  content.text.trim() === "" &&
  content.attachments.length === 0 &&
  content.pollId === undefined &&
  content.quotedId === undefined;

/** Matches text that clients show as a link. */
export const LINK = /https?:\/\/|\bwww\.\S/i;

/** Checks 3 and 4: the message is not empty or too long, and the sender may send its links, attachments and mentions. */
export function checkContent(permissions: Permissions, content: Content, hasLocation: boolean): void {
  if (isEmptyContent(content) && !hasLocation)
    throw invalidField(
      "message.text",
      "is required when there is no attachment, poll, location or quoted message",
    );
  const maxLength = permissions.config.max_message_length;
  if (content.text.length > maxLength)
    throw ApiProblem.messageTooLong(`message.text must hold at most ${maxLength} characters`, {
      fields: { "message.text": `must hold at most ${maxLength} characters` },
    });
  if (LINK.test(content.text)) requirePermission(permissions, "add-links", "send links");
  if (content.attachments.length > 0) requirePermission(permissions, "create-attachment", "send attachments");
  if (content.mentioned.length > 0 || content.mentionedChannel || content.mentionedHere)
    requirePermission(permissions, "create-mention", "mention people");
}

/** The error for a message id that is not in the channel, or that the caller may not see. */
export const notInChannel = (field: string, id: string): ApiProblem =>
  invalidField(
    field,
    `names a message that is not in this channel: ${id}`,
    `There is no message ${id} in this channel`,
  );

/** The message that a field names; throws `notInChannel` unless it is in the channel and visible to the caller. */
export function messageInChannel(
  db: Database,
  permissions: Permissions,
  field: string,
  id: string,
): MessageRow {
  const row = findMessage(db, id);
  if (!row || row.cid !== permissions.channel.cid || !isVisible(visibilityOf(permissions), row))
    throw notInChannel(field, id);
  return row;
}

/** Throws code 21 if the parent is a reply itself. */
export function requireNotReply(parent: MessageRow): void {
  if (parent.parent_id !== null)
    throw ApiProblem.nesting("A reply cannot have replies of its own", {
      fields: { "message.parent_id": "is itself a reply" },
    });
}

export function checkMessageId(check: BodyReader, id: string | undefined): void {
  if (id !== undefined && !isMessageId(id))
    check.fail("id", "must be non-blank, at most 255 characters, without , and %");
}

/** Check 5: the parent is in this channel and is not a reply itself. */
export function checkParent(db: Database, permissions: Permissions, parentId: string): MessageRow {
  requirePermission(permissions, "create-message", "reply");
  requireFeature(permissions, "replies", "replies");
  const parent = messageInChannel(db, permissions, "message.parent_id", parentId);
  requireNotReply(parent);
  return parent;
}

/** Check 6: the quoted message is in this channel. */
export function checkQuoted(db: Database, permissions: Permissions, quotedId: string): void {
  requireFeature(permissions, "quotes", "quotes");
  messageInChannel(db, permissions, "message.quoted_message_id", quotedId);
}

/** Check 7 (V-11): only the creator of a poll may send it. */
export function checkPoll(db: Database, permissions: Permissions, pollId: string, authorId: string): void {
  requireFeature(permissions, "polls", "polls");
  requirePermission(permissions, "send-poll", "send polls");
  const poll = polls.find(db, { id: pollId });
  if (!poll)
    throw invalidField(
      "message.poll_id",
      `names a poll that does not exist: ${pollId}`,
      thereIsNo("poll", [pollId]),
    );
  if (poll.created_by !== authorId) throw ApiProblem.notAllowed("Only the creator of a poll may send it");
}

/** Those of `ids` that are users, in the same order. */
export function existingUserIds(db: Database, ids: string[]): string[] {
  if (ids.length === 0) return ids;
  const existing = new Set(knownIds(db, ids));
  return ids.filter((id) => existing.has(id));
}
