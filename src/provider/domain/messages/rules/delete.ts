/** Deletes messages: soft, hard, or only for the caller (specification/messages.md §7). */
import { DELETED_FOR_ME_LIMIT } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { removeMessagesFromDrafts } from "../../drafts/rules/removal.ts";
import { removeDependents } from "./erase-dependents.ts";
import { emptiedMessage } from "../../../../wire/gone.ts";
import { publishMessage } from "../view/audience.ts";
import {
  findMessage,
  isVisible,
  notNotifiedBy,
  type MessageData,
  type MessageRow,
  repliesTo,
  noMessage,
} from "../storage/rows.ts";
import { visibilityOf, callerViewContext, messageFor } from "../view/visibility.ts";
import { deletePending } from "./pending.ts";
import { messageView } from "../view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { can, callerPermissions, userPermissions, type Permissions } from "../../access/view/policy.ts";
import { addTombstone } from "../storage/tombstones.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { lowerUnread, lowerOwnUnread } from "../../reads/storage/unread.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { locations } from "../../locations/storage/rows.ts";
import { subtractMessages } from "../../channels/storage/change.ts";
import { moveReplyCounts, markMessageDeleted, removeMessage } from "../storage/change.ts";
import { addToReplyCount, lowerThreadUnread, removeParticipants } from "../../threads/storage/rows.ts";
import { ownDeletions } from "../storage/deleted-for-me.ts";

export function deleteMessage(call: RouteCall): Reply<"deleteMessage"> {
  const check = new BodyReader(call.query);
  const hard = check.flag("hard") ?? false;
  const forMe = check.flag("delete_for_me") ?? false;
  if (hard && forMe) check.fail("delete_for_me", "cannot be given together with hard");
  const pendingReply = deletePending(call, call.path.id ?? "", hard, check);
  if (pendingReply) return pendingReply;
  const { row, permissions } = messageFor(call);
  check.done();
  const { deleted_by: deletedBy, user_id: userId } = call.query;
  const namedId = deletedBy ?? userId ?? call.caller.userId;
  const me =
    call.caller.kind === "server" && namedId === undefined ? undefined : actor(call, { user_id: namedId });
  if (forMe)
    return deleteForMe(call, me ? permissionsOfNamedUser(call, permissions, row, me) : permissions, row, me);
  const own = row.user_id === me?.id;
  if (!can(permissions, "delete-message", own))
    throw ApiProblem.notAllowed("You are not allowed to delete this message");
  return hard ? hardDelete(call, row, me) : softDelete(call, row, me);
}

function softDelete(call: RouteCall, row: MessageRow, me: UserRow | undefined): Reply<"deleteMessage"> {
  const { db } = call;
  if (row.type === "deleted") return { message: messageView(callerViewContext(call), row) };
  const now = Math.max(call.now(), row.updated_at + 1);
  const parent = markDeleted(call, row, now);
  const after = findMessage(db, row.id)!;
  publishDeleted(call, after, me, false);
  if (parent) publishReplyCount(call, row, parent, me, now);
  return { message: messageView(callerViewContext(call), after) };
}

/** Marks the row as deleted and updates unread counts, pins and the parent's reply count. Returns the changed parent. */
export function markDeleted(call: RouteCall, row: MessageRow, now: number): MessageRow | undefined {
  lowerUnread(call.db, row.cid, row.id);
  markMessageDeleted(call.db, row.id, now);
  // `updated_at` stays the time of the last move.
  if (row.has_location)
    locations.change(call.db, { message_id: row.id, end_at: { after: now } }, { end_at: now });
  removeMessagesFromDrafts(call, [row.id]);
  return countReply(call, row, 1);
}

/** Erases the message with its reactions, replies, location and thread; event and answer say only which one it was. */
function hardDelete(call: RouteCall, row: MessageRow, me: UserRow | undefined): Reply<"deleteMessage"> {
  const now = call.now();
  const answer = emptiedMessage(messageView(callerViewContext(call), row));
  publishDeleted(call, row, me, true);
  const parent = eraseRow(call, row, now);
  if (parent) publishReplyCount(call, row, parent, me, now);
  return { message: answer };
}

/** Whether a reply is shown beside its thread too: in the channel, among the pins or on the map. */
const isShownElsewhere = (reply: MessageRow): boolean =>
  reply.listed === 1 || reply.pinned_at !== null || reply.has_location === 1;

/** Erases the row and everything attached to it. Returns the changed parent. */
export function eraseRow(call: RouteCall, row: MessageRow, now: number): MessageRow | undefined {
  const { db } = call;
  const replies = repliesTo(db, row.id);
  removeDependents(
    call,
    [...replies, row].map(({ id }) => id),
  );
  // Clients take the thread away with its first message, but not what else shows a reply or whose author is not told.
  for (const reply of replies)
    if (isShownElsewhere(reply) || reply.user_id !== row.user_id)
      publishDeleted(call, reply, undefined, true);
  for (const message of [...replies, row]) {
    lowerUnread(db, row.cid, message.id);
    addTombstone(db, row.cid, message, now);
    removeMessage(db, message.id);
  }
  removeParticipants(db, row.id);
  subtractMessages(db, row.cid, replies.length + 1, skipsSystem(call, row.cid));
  return countReply(call, row, 0);
}

/** Whether system messages of the channel do not change its `last_message_at`. */
function skipsSystem(call: RouteCall, cid: string): boolean {
  const channel = findChannel(call.db, cid);
  return (
    channel !== undefined && callerPermissions(call, channel).config.skip_last_msg_update_for_system_msgs
  );
}

/** Emits the parent's new reply count, caused by the deleting user or else the reply's author. */
function publishReplyCount(
  call: RouteCall,
  reply: MessageRow,
  parent: MessageRow,
  me: UserRow | undefined,
  now: number,
): void {
  const context = viewContext(call.db, call.emit, now);
  publishMessage(call, context, "message.updated", parent, me?.id ?? reply.user_id, {}, { cause: reply });
}

/** Updates the parent's reply counts; soft-deleted replies are counted separately. Returns the changed parent. */
function countReply(call: RouteCall, row: MessageRow, softDeleted: 0 | 1): MessageRow | undefined {
  // A shadowed reply, which only its author sees, was never counted.
  if (row.parent_id === null || row.shadowed === 1) return undefined;
  const { db } = call;
  const notDeleted = row.type === "deleted" ? 0 : 1;
  moveReplyCounts(
    db,
    row.parent_id,
    -notDeleted,
    softDeleted - (notDeleted === 0 && softDeleted === 0 ? 1 : 0),
  );
  if (notDeleted) {
    addToReplyCount(db, row.parent_id, row.user_id, -1);
    if (!row.silent) lowerThreadUnread(db, row, notNotifiedBy(JSON.parse(row.data) as MessageData));
  }
  return findMessage(db, row.parent_id);
}

function publishDeleted(call: RouteCall, row: MessageRow, me: UserRow | undefined, hard: boolean): void {
  const context = viewContext(call.db, call.emit, call.now());
  const message = messageView(context, row);
  const left = hard ? emptiedMessage(message) : message;
  publishMessage(call, context, "message.deleted", row, me?.id, { hard_delete: hard }, { message: left });
}

/** The permissions of the named user when a server deletes for that user: only messages visible to the user can be deleted. */
function permissionsOfNamedUser(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  me: UserRow,
): Permissions {
  if (!permissions.unrestricted) return permissions;
  const namedPermissions = userPermissions(call.db, me.id, permissions.channel);
  if (namedPermissions.member && !isVisible(visibilityOf(namedPermissions), row)) throw noMessage(row.id);
  return namedPermissions;
}

/** Hides the message from the user only, at most 100 in a channel; the user's own connections get the event. */
function deleteForMe(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  me: UserRow | undefined,
): Reply<"deleteMessage"> {
  const { db, emit } = call;
  if (!me) throw invalidField("user_id", "is required with server-side auth");
  if (!permissions.member) throw ApiProblem.notAllowed(`You are not a member of channel ${row.cid}`);
  const n = ownDeletions.count(db, { user_id: me.id, cid: row.cid });
  const alreadyDeleted = ownDeletions.has(db, { user_id: me.id, cid: row.cid, message_id: row.id });
  const context = viewContext(db, emit, call.now(), me.id);
  if (alreadyDeleted) return { message: messageView(context, row) };
  if (n >= DELETED_FOR_ME_LIMIT)
    throw invalidField(
      "delete_for_me",
      `is possible for at most ${DELETED_FOR_ME_LIMIT} messages of a channel`,
    );
  lowerOwnUnread(db, row.cid, me.id, row.id);
  ownDeletions.insert(db, { user_id: me.id, cid: row.cid, message_id: row.id, created_at: context.now });
  const message = messageView(context, row);
  emit.user(
    me.id,
    {
      type: "message.deleted",
      user: context.people.get(me.id),
      message,
      message_id: row.id,
      hard_delete: false,
      deleted_for_me: true,
    },
    { cid: row.cid },
  );
  return { message };
}
