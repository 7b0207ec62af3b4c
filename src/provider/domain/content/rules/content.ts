/** What a message may be: the checks of a send, in the order of specification/messages.md §4, shared with full and partial updates. */
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
import { visibilityOf } from "../../messages/view/reading.ts";
import { requirePermission, can, requireFeature, type Permissions } from "../../access/view/policy.ts";
import type { Database } from "../../../base/database.ts";
import type { Content } from "../../messages/storage/new-message.ts";
import { knownIds } from "../../users/storage/rows.ts";
import { findPoll } from "../../polls/storage/rows.ts";

/** `server`: the sender is one, so that `html` and `mml` count. */
export function readContent(check: BodyReader, source: Fields, server: boolean): Content {
  const given = check.read(authored);
  const { text = "", attachments = [] } = given;
  for (const [i, one] of attachments.entries())
    if (!isObject(one)) check.fail(`attachments.${i}`, "must be an object");
    else if (jsonBytes(one) > ATTACHMENTS_JSON_LIMIT)
      check.fail(`attachments.${i}`, `must be at most ${ATTACHMENTS_JSON_LIMIT} bytes of JSON`);
  const mentioned = (given.mentioned_users ?? []).map((one) => (isObject(one) ? one.id : one));
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
    quotedId: given.quoted_message_id,
    pollId: given.poll_id,
    mentionedChannel: given.mentioned_channel ?? false,
    mentionedHere: given.mentioned_here ?? false,
    html,
    mml,
    custom,
  };
}

/** Does a text hold something that is opened as a link. */
export const LINK = /https?:\/\/|\bwww\.\S/i;

/** Checks 3 and 4: something to send, its length, links and attachments by right. */
export function checkContent(permissions: Permissions, content: Content, hasLocation: boolean): void {
  if (
    content.text.trim() === "" &&
    content.attachments.length === 0 &&
    content.pollId === undefined &&
    content.quotedId === undefined &&
    !hasLocation
  )
    throw invalidField(
      "message.text",
      "is required when there is no attachment, poll, location or quoted message",
    );
  const most = permissions.config.max_message_length;
  if (content.text.length > most)
    throw ApiProblem.messageTooLong(`message.text must hold at most ${most} characters`, {
      fields: { "message.text": `must hold at most ${most} characters` },
    });
  if (LINK.test(content.text)) requirePermission(permissions, "add-links", "send links");
  if (content.attachments.length > 0) requirePermission(permissions, "create-attachment", "send attachments");
  if (content.mentioned.length > 0 || content.mentionedChannel || content.mentionedHere)
    requirePermission(permissions, "create-mention", "mention people");
}

/** A message that the caller named in this field is not in the channel, or not for the caller to see. */
export const notInChannel = (field: string, id: string): ApiProblem =>
  invalidField(
    field,
    `names a message that is not in this channel: ${id}`,
    `There is no message ${id} in this channel`,
  );

/** Refuses a parent that is a reply itself (21). */
export function requireNoReply(parent: MessageRow): void {
  if (parent.parent_id !== null)
    throw ApiProblem.nesting("A reply cannot have replies of its own", {
      fields: { "message.parent_id": "is itself a reply" },
    });
}

/** The id that a message shall have, where its author chose one. */
export function checkMessageId(check: BodyReader, id: string | undefined): void {
  if (id !== undefined && !isMessageId(id))
    check.fail("id", "must be non-blank, at most 255 characters, without , and %");
}

/** Check 5: the parent stands in this channel and is no reply itself. */
export function checkParent(db: Database, permissions: Permissions, parentId: string): MessageRow {
  if (!can(permissions, "create-message")) requirePermission(permissions, "create-message", "reply");
  requireFeature(permissions, "replies", "replies");
  const parent = findMessage(db, parentId);
  if (!parent || parent.cid !== permissions.channel.cid || !isVisible(visibilityOf(permissions), parent))
    throw notInChannel("message.parent_id", parentId);
  requireNoReply(parent);
  return parent;
}

/** Check 6. */
export function checkQuoted(db: Database, permissions: Permissions, quotedId: string): void {
  requireFeature(permissions, "quotes", "quotes");
  const quoted = findMessage(db, quotedId);
  if (!quoted || quoted.cid !== permissions.channel.cid || !isVisible(visibilityOf(permissions), quoted))
    throw notInChannel("message.quoted_message_id", quotedId);
}

/** Check 7 (V-11): only its creator sends a poll. */
export function checkPoll(db: Database, permissions: Permissions, pollId: string, authorId: string): void {
  requireFeature(permissions, "polls", "polls");
  requirePermission(permissions, "send-poll", "send polls");
  const poll = findPoll(db, pollId);
  if (!poll)
    throw invalidField(
      "message.poll_id",
      `names a poll that does not exist: ${pollId}`,
      thereIsNo("poll", [pollId]),
    );
  if (poll.created_by !== authorId) throw ApiProblem.notAllowed("Only the creator of a poll may send it");
}

/** The mentioned ids that are users, in their order. */
export function knownUsers(db: Database, ids: string[]): string[] {
  if (ids.length === 0) return ids;
  const known = new Set(knownIds(db, ids));
  return ids.filter((id) => known.has(id));
}
