/** Undeleting: a server brings a softly deleted message back with its content (specification/messages.md §7). */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { readBody, invalidField } from "../../validation/check.ts";
import { emptyCopiesOf } from "./erase-copies.ts";
import { publishMessage } from "../view/audience.ts";
import { callerViewContext, messageFor } from "../view/visibility.ts";
import { findMessage } from "../storage/rows.ts";
import { messageView } from "../view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { restoreMessage, countReplyAgain } from "../storage/change.ts";
import { addToReplyCount } from "../../threads/storage/rows.ts";

/**
 * The pin and the live location that the deletion ended are not restored, and unread counts do not grow again, because the
 * deletion lowered them.
 */
export function undeleteMessage(call: RouteCall): Reply<"undeleteMessage"> {
  const { db, emit } = call;
  const { row } = messageFor(call);
  const { undeleted_by: actorId } = readBody(call.body, messageBodies.undeleteMessage);
  const me = actor(call, { user_id: actorId });
  if (row.type !== "deleted")
    throw invalidField("id", "names a message that is not deleted", `Message ${row.id} is not deleted`);
  const parent = row.parent_id === null ? undefined : findMessage(db, row.parent_id);
  if (row.parent_id !== null && (!parent || parent.type === "deleted"))
    throw invalidField(
      "id",
      "names a reply to a deleted message",
      "The message that it replies to is deleted",
    );
  // Emptied while it was deleted: what copies still have of it does not come back.
  if (row.text === "" && row.data === "{}") emptyCopiesOf(db, row.id);
  const restoredAt = Math.max(call.now(), row.updated_at + 1);
  restoreMessage(db, row.id, row.was ?? (parent ? "reply" : "regular"), restoredAt);
  // A shadowed reply, which only its author sees, was never counted.
  const countedParent = row.shadowed === 1 ? undefined : parent;
  if (countedParent) {
    countReplyAgain(db, countedParent.id);
    addToReplyCount(db, countedParent.id, row.user_id, 1);
  }
  const after = findMessage(db, row.id)!;
  const context = viewContext(db, emit, call.now());
  publishMessage(call, context, "message.undeleted", after, me.id);
  if (countedParent)
    publishMessage(
      call,
      context,
      "message.updated",
      findMessage(db, countedParent.id)!,
      me.id,
      {},
      { cause: after },
    );
  return { message: messageView(callerViewContext(call), after) };
}
