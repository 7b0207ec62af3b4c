/** POST /messages/{id}/action: the buttons of a command's preview (specification/messages.md §5.1). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { requirePermission, requireReadChannel, callerPermissions } from "../../access/view/policy.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { requirePosting } from "./send.ts";
import { storeMessage } from "../../messages/rules/store.ts";
import { isTaken } from "../../messages/storage/tombstones.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { isShadowBanned } from "../../moderation/storage/bans.ts";
import { ACTION_NAME, GIPHY_ACTIONS, type GiphyAction } from "../../query/giphy.ts";
import { previewedMessage, previewView } from "./previews.ts";
import { findPreview, commandPreviews } from "../storage/previews.ts";

function readAction(call: RouteCall): GiphyAction {
  const check = new BodyReader(call.body);
  check.read(moderationBodies.runMessageAction);
  const form = check.inside("form_data");
  const value = form.text(ACTION_NAME, 255);
  if (value === undefined && form.raw(ACTION_NAME) === undefined && call.body.form_data != null)
    form.fail(ACTION_NAME, "is required");
  const action = GIPHY_ACTIONS.find((name) => name === value);
  if (value !== undefined && !action) form.fail(ACTION_NAME, `must be one of ${GIPHY_ACTIONS.join(", ")}`);
  check.done();
  return action!;
}

export function runMessageAction(call: RouteCall): Reply<"runMessageAction"> {
  const { db } = call;
  const now = call.now();
  const id = call.path.id ?? "";
  const row = findPreview(db, id, now);
  if (!row) throw invalidField("id", "names no message that waits for an action");
  const permissions = callerPermissions(call, channelRow(db, row.cid));
  requireReadChannel(permissions);
  requirePermission(permissions, "run-message-action", "run actions of messages");
  const me = actor(call);
  if (me.id !== row.user_id) throw ApiProblem.notAllowed("Only its author may act on a message");
  const action = readAction(call);
  if (action === "shuffle") {
    return {
      message: previewView(call, permissions, me, commandPreviews.update(db, row, { turn: row.turn + 1 })),
    };
  }
  if (action === "cancel") {
    commandPreviews.remove(db, { id });
    return {};
  }
  const { message, parentDeleted } = previewedMessage(db, row, false);
  requirePosting(call, permissions, message.parent !== undefined, now);
  if (parentDeleted) throw invalidField("id", "names an answer to a message that is gone by now");
  if (isTaken(db, id)) throw invalidField("id", "already exists", `Message ${id} already exists`);
  commandPreviews.remove(db, { id });
  const shadowed = message.shadowed === true || isShadowBanned(db, me.id, row.cid, now);
  const stored = storeMessage(call, permissions, me, shadowed ? { ...message, shadowed } : message);
  return { message: messageView(viewContext(db, call.emit, call.now(), me.id), stored.row) };
}
