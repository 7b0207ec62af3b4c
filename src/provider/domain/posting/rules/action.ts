/** POST /messages/{id}/action: the buttons of a command's preview (specification/messages.md §5.1). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, invalidField, readBody, type Fields } from "../../validation/check.ts";
import { checkContent, readContent } from "../../content/rules/content.ts";
import { preparedOf } from "../../messages/rules/enrichment.ts";
import type { Content } from "../../messages/storage/new-message.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { readApp } from "../../../store/app-settings.ts";
import { unstoredMessage } from "./built-in-commands.ts";
import {
  callerPermissions,
  requirePermission,
  requireReadChannel,
  type Permissions,
} from "../../access/view/policy.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { requirePosting } from "./send.ts";
import { storeMessage } from "../../messages/rules/store.ts";
import { isTaken } from "../../messages/storage/tombstones.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { isShadowBanned } from "../../moderation/storage/bans.ts";
import { ACTION_NAME, GIPHY, GIPHY_ACTIONS, type GiphyAction } from "../../query/giphy.ts";
import { createPreview, hasButtons, previewedMessage, previewView, type Previewed } from "./previews.ts";
import { commandPreviews, findPreview, type PreviewRow } from "../storage/previews.ts";

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
  const { command } = previewedMessage(db, row, false).message;
  if (command?.command !== GIPHY) return runOwnAction(call, permissions, me, row);
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
  return post(call, permissions, me, row, previewedMessage(db, row, false));
}

/** Sends the message that waited. */
function post(
  call: RouteCall,
  permissions: Permissions,
  me: UserRow,
  { id, cid }: PreviewRow,
  { message, parentDeleted }: Previewed,
): Reply<"runMessageAction"> {
  const { db } = call;
  const now = call.now();
  requirePosting(call, permissions, message.parent !== undefined, now);
  if (parentDeleted) throw invalidField("id", "names an answer to a message that is gone by now");
  if (isTaken(db, id)) throw invalidField("id", "already exists", `Message ${id} already exists`);
  commandPreviews.remove(db, { id });
  const shadowed = message.shadowed === true || isShadowBanned(db, me.id, cid, now);
  const stored = storeMessage(call, permissions, me, shadowed ? { ...message, shadowed } : message);
  return { message: messageView(viewContext(db, call.emit, call.now(), me.id), stored.row) };
}

/** The content after an endpoint's answer; buttons that it does not repeat are over. Throws code 4 for an answer of another form. */
function changedContent(before: Content, changes: Fields): Content {
  const { text, custom } = before;
  const attachments = before.attachments.map(({ actions: _actions, ...attachment }) => attachment);
  const source = { text, attachments, ...custom, ...changes };
  const check = new BodyReader(source, "message.");
  const after = readContent(check, source, false);
  check.done();
  return { ...before, text: after.text, attachments: after.attachments, custom: after.custom };
}

/** A button of the app's own command: its endpoint has been called and says what becomes of the message. */
function runOwnAction(
  call: RouteCall,
  permissions: Permissions,
  me: UserRow,
  row: PreviewRow,
): Reply<"runMessageAction"> {
  readBody(call.body, moderationBodies.runMessageAction);
  const { hookVerdict: verdict } = preparedOf(call);
  if (readApp(call.db).custom_action_handler_url === "")
    throw ApiProblem.commandEndpointMissing("There is no endpoint for the commands of this app");
  // In a dry run nothing outside is asked.
  if (!verdict) return { message: previewView(call, permissions, me, row) };
  if (verdict.refused) throw verdict.refused;
  const previewed = previewedMessage(call.db, row, true);
  const { message } = previewed;
  if (verdict.error !== undefined)
    return { message: unstoredMessage(call, permissions, me, message, "error", verdict.error) };
  // An endpoint that answers without a message takes it back.
  if (!verdict.changes) {
    commandPreviews.remove(call.db, { id: row.id });
    return {};
  }
  const next = { ...message, content: changedContent(message.content, verdict.changes) };
  checkContent(permissions, next.content, false);
  if (hasButtons(next)) return { message: createPreview(call, permissions, me, next) };
  return post(call, permissions, me, row, { ...previewed, message: next });
}
