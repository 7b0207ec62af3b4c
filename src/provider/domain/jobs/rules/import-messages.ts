/** Stores imported messages and reactions, and recounts the channels they are in (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/entities/import.ts";
import { customOfItem, messageTypeOf } from "../../../../wire/imports/forms.ts";
import { configOf } from "../../access/storage/access.ts";
import type { Fields } from "../../validation/check.ts";
import { findChannel, memberRow, readRow } from "../../channels/storage/rows.ts";
import { recount } from "../../reads/storage/unread.ts";
import { findMessage, type MessageData, type MessageRow } from "../../messages/storage/rows.ts";
import { isTaken } from "../../messages/storage/tombstones.ts";
import { canonical } from "../../query/canonical.ts";
import { countUnused, keepsExisting, type ImportContext } from "./import-context.ts";
import { cidOfItem } from "./import-check.ts";
import { micros } from "./import-people.ts";
import { storeJobKey, usersWithImportedRead, readersBeyondMark } from "../storage/job-keys.ts";
import { updateReactionFields } from "../../messages/storage/reactions.ts";
import {
  type ImportedMessage,
  importMessage,
  countImportedReply,
  importParticipant,
  importReaction,
  isStoredReaction,
  recountChannel,
} from "../storage/imported.ts";
import { setUnread } from "../../reads/storage/reads.ts";

/** The `data` of a message: from the file, with parts of the stored message where the file has none. */
function messageData(
  context: ImportContext,
  item: ImportItem,
  cid: string,
  before: MessageRow | undefined,
): MessageData {
  const { data } = item;
  const stored = before ? (JSON.parse(before.data) as MessageData) : undefined;
  const custom = {
    ...(context.merge ? stored?.custom : undefined),
    ...customOfItem(item),
  };
  const mentioned = (data.mentioned_users_ids as string[] | undefined) ?? [];
  const attachments = (data.attachments as MessageData["attachments"] | undefined) ?? [];
  return {
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(mentioned.length > 0 ? { mentioned } : {}),
    ...(data.html == null || data.html === "" ? {} : { html: data.html as string }),
    ...(data.parent_id != null && data.show_in_channel === true ? { show_in_channel: true } : {}),
    ...authorMember(context, cid, data.user as string, stored),
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
  };
}

export function putMessage(context: ImportContext, item: ImportItem): void {
  const { db, now } = context;
  const { data } = item;
  const id = data.id as string;
  const before = findMessage(db, id);
  if (before && keepsExisting(context)) return countKept(context, item, before);
  if (!before && staysErased(context, item)) return;
  const cid = cidOfItem(item);
  const deleted = micros(data.deleted_at);
  const parentId = (data.parent_id as string | null | undefined) ?? null;
  const listed = parentId === null || data.show_in_channel === true;
  const created = micros(data.created_at) ?? before?.created_at ?? now;
  const author = data.user as string;
  const config = configOf(db, findChannel(db, cid)!.type);
  const counts = listed && deleted === null && config?.read_events === true;
  const restricted = (data.restricted_visibility as string[] | undefined) ?? [];
  const message: ImportedMessage = {
    id,
    cid,
    created_at: created,
    updated_at: Math.max(created, deleted ?? 0),
    user_id: author,
    type: deleted === null ? (messageTypeOf(data) as MessageRow["type"]) : "deleted",
    listed: Number(listed),
    counts: Number(counts),
    parent_id: parentId,
    quoted_id: (data.quoted_message_id as string | null | undefined) ?? null,
    text: (data.text as string | null | undefined) ?? "",
    restricted: restricted.length > 0 ? JSON.stringify(restricted) : null,
    uncounted: counts ? readersJson(context, cid, author, created) : null,
    pinned_at: deleted === null ? micros(data.pinned_at) : null,
    pin_expires: deleted === null ? micros(data.pin_expires) : null,
    pinned_by: deleted === null ? ((data.pinned_by_id as string | null | undefined) ?? null) : null,
    deleted_at: deleted,
    was: deleted === null ? null : parentId === null ? "regular" : "reply",
    data: JSON.stringify(messageData(context, item, cid, before)),
  };
  importMessage(db, message, before !== undefined);
  countReply(context, before, { parentId, notDeleted: deleted === null, author, cid, created });
  storeJobKey(db, context.importId, "channel", cid);
}

const ERASED = "deleted here, and stays deleted unless --replace is given";

/** In mode `complete`, whether a message or the first one of its thread was erased; it is counted then. */
function staysErased(context: ImportContext, { data }: ImportItem): boolean {
  const { db, mode } = context;
  const parent = data.parent_id as string | null | undefined;
  if (mode !== "complete") return false;
  const isErased = isTaken(db, data.id as string);
  const isOrphan = parent != null && !findMessage(db, parent);
  if (isErased || isOrphan)
    countUnused(context, {
      kind: parent == null ? "message" : "reply",
      reason: isErased ? ERASED : "its first message was deleted here",
    });
  return isErased || isOrphan;
}

/** A stored message stays as it is; it is counted if the item has another text, other files or another place. */
function countKept(context: ImportContext, { data }: ImportItem, before: MessageRow): void {
  const kind = data.parent_id == null ? "message" : "reply";
  if (before.deleted_at !== null && data.deleted_at == null)
    return countUnused(context, { kind, reason: ERASED });
  const { attachments = [] } = JSON.parse(before.data) as MessageData;
  const isSame =
    before.text === (data.text ?? "") &&
    before.user_id === data.user &&
    before.parent_id === (data.parent_id ?? null) &&
    canonical(attachments) === canonical(data.attachments ?? []);
  if (!isSame)
    countUnused(context, { kind, reason: "exists already with another content, which stays", lost: true });
  else if (data.created_at != null && micros(data.created_at) !== before.created_at)
    countUnused(context, { kind, reason: "exists already with another time, which stays" });
}

/** Role and custom fields of the author's membership, stored with the message as a send does. */
function authorMember(
  { db }: ImportContext,
  cid: string,
  author: string,
  stored: MessageData | undefined,
): Pick<MessageData, "member"> {
  if (stored?.member) return { member: stored.member };
  const row = memberRow(db, cid, author);
  return row ? { member: { ...(JSON.parse(row.data) as Fields), channel_role: row.channel_role } } : {};
}

/** JSON list of members who have read the message although it is newer than their read mark: those without a `last_read` in the file. */
function readersJson(
  { db, importId }: ImportContext,
  cid: string,
  author: string,
  created: number,
): string | null {
  const readers = readersBeyondMark(db, importId, { cid, author, created });
  return readers.length > 0 ? JSON.stringify(readers) : null;
}

interface ImportedReply {
  parentId: string | null;
  notDeleted: boolean;
  author: string;
  cid: string;
  created: number;
}

/** Counts a reply under its parent, and makes both authors thread participants without unread replies. */
function countReply({ db }: ImportContext, before: MessageRow | undefined, reply: ImportedReply): void {
  if (before?.parent_id != null)
    countImportedReply(db, before.parent_id, before.user_id, before.deleted_at === null, -1);
  const { parentId, notDeleted, author, cid, created } = reply;
  if (parentId === null) return;
  const parent = findMessage(db, parentId);
  for (const userId of new Set([parent?.user_id ?? author, author]))
    importParticipant(db, { parentId, userId, cid, created });
  countImportedReply(db, parentId, author, notDeleted, 1);
}

export function putReaction(context: ImportContext, item: ImportItem): void {
  const { db } = context;
  const { data } = item;
  if (context.mode === "complete" && !findMessage(db, data.message_id as string))
    return countUnused(context, { kind: "reaction", reason: "its message was deleted here" });
  const { custom, ...otherFields } = customOfItem(item);
  const fields: Fields = { ...otherFields, ...(typeof custom === "object" ? custom : {}) };
  const row = {
    message_id: data.message_id as string,
    user_id: data.user_id as string,
    type: data.type as string,
    score: (data.score as number | undefined) ?? 1,
    created_at: micros(data.created_at)!,
    data: JSON.stringify(fields),
  };
  const written = importReaction(db, keepsExisting(context), row);
  if (!written && !isStoredReaction(db, row))
    countUnused(context, { kind: "reaction", reason: "exists already with other values, which stay" });
  if (written) context.reactedMessageIds.add(data.message_id as string);
}

/** Updates the derived reaction fields of the messages in a batch. */
export function updateReactedMessages({ db, reactedMessageIds: reacted }: ImportContext): void {
  for (const id of reacted) updateReactionFields(db, id);
}

/** Recounts a channel's members, messages, newest message and unread numbers. */
export function recountImportedChannel(
  { db, importId }: Pick<ImportContext, "db" | "importId">,
  cid: string,
): void {
  recountChannel(db, cid);
  for (const userId of usersWithImportedRead(db, importId, cid)) {
    const read = readRow(db, cid, userId);
    if (read) setUnread(db, cid, userId, recount(db, cid, userId, read.last_read));
  }
}
