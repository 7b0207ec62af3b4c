/** Routes of drafts: saving, reading, deleting and listing the caller's own (specification/drafts.md). */
import type { Draft } from "../../../../wire/entities/draft.ts";
import { draftMessage, sources } from "../../../../wire/bodies/messages.ts";
import { makeMessageId } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor, authorOf } from "../../users/rules/acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { requireReadable, requireFeature, type Permissions } from "../../access/view/policy.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import {
  checkPoll,
  checkQuoted,
  existingUserIds,
  isEmptyContent,
  messageInChannel,
  notInChannel,
  readContent,
  requireNotReply,
  checkMessageId,
} from "../../content/rules/content.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { listingPage, readOnlyListing } from "../../query/listing.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { dropDraft, publishDraft } from "./removal.ts";
import { DRAFT_LIST, drafts, type DraftData, type DraftRow } from "../storage/drafts.ts";
import { fullDrafts } from "../view/drafts.ts";
import { ownChannel } from "../../access/view/readable.ts";
import { cutText } from "../../../../text/pieces.ts";

const draftReply = (call: RouteCall, me: UserRow, row: DraftRow): Draft =>
  fullDrafts(viewContext(call.db, call.emit, call.now(), me.id), [row])[0]!;

/** The parent of a thread draft must be in this channel and not a reply itself. */
function checkParent(call: RouteCall, permissions: Permissions, parentId: string): void {
  requireFeature(permissions, "replies", "replies");
  const parent = messageInChannel(call.db, permissions, "message.parent_id", parentId);
  if (parent.type === "deleted") throw notInChannel("message.parent_id", parentId);
  requireNotReply(parent);
}

const { id, type, show_in_channel, silent, parent_id } = draftMessage;
const OTHER_FIELDS = { id, type, show_in_channel, silent, parent_id, ...sources };

/** Reads the keys of a draft that are not message content. */
function readOtherFields(
  check: BodyReader,
): Omit<DraftData, "id" | "text"> & { id: string | undefined; parentId: string } {
  const { show_in_channel, silent, type, html, mml, ...fields } = check.read(OTHER_FIELDS);
  checkMessageId(check, fields.id);
  return {
    id: fields.id,
    parentId: fields.parent_id ?? "",
    ...(show_in_channel ? { show_in_channel } : {}),
    ...(silent ? { silent } : {}),
    ...(type === undefined ? {} : { type }),
    ...(html ? { html } : {}),
    ...(mml ? { mml } : {}),
  };
}

/** Replaces the caller's draft of the channel or thread; saving an empty draft deletes it (DR-1, DR-2). */
export function saveDraft(call: RouteCall): Reply<"saveDraft"> {
  const { db } = call;
  const permissions = requireReadable(call, cidOfPath(call.path));
  const bodyCheck = new BodyReader(call.body);
  const source = bodyCheck.object("message") ?? {};
  if (call.body.message == null) bodyCheck.fail("message", "is required");
  bodyCheck.done();
  const me = authorOf(call, source);
  const check = new BodyReader(source, "message.");
  const content = readContent(check, source, false);
  const { id, parentId, ...rest } = readOtherFields(check);
  check.done();
  if (parentId !== "") checkParent(call, permissions, parentId);
  const { cid } = permissions.channel;
  if (isEmptyContent(content)) {
    dropDraft(call, me.id, cid, parentId);
    return {};
  }
  if (content.quotedId !== undefined) checkQuoted(db, permissions, content.quotedId);
  if (content.pollId !== undefined) checkPoll(db, permissions, content.pollId, me.id);
  const mentioned = existingUserIds(db, content.mentioned);
  const data: DraftData = {
    ...rest,
    id: id ?? makeMessageId(me.id, call.uuid()),
    text: cutText(content.text, permissions.config.max_message_length),
    ...(content.attachments.length ? { attachments: content.attachments } : {}),
    ...(mentioned.length ? { mentioned } : {}),
    ...(Object.keys(content.custom).length ? { custom: content.custom } : {}),
  };
  const row: DraftRow = {
    user_id: me.id,
    cid,
    parent_id: parentId,
    created_at: call.now(),
    quoted_id: content.quotedId ?? null,
    poll_id: content.pollId ?? null,
    data: JSON.stringify(data),
  };
  drafts.put(db, row);
  publishDraft(call, "draft.updated", row);
  return { draft: draftReply(call, me, row) };
}

/** The user, channel and thread that the path and the query name. */
function draftTarget(call: RouteCall): { me: UserRow; cid: string; parentId: string } {
  const { cid } = requireReadable(call, cidOfPath(call.path)).channel;
  const me = actor(call, call.query);
  const check = new BodyReader(call.query);
  const parentId = check.id("parent_id") ?? "";
  check.done();
  return { me, cid, parentId };
}

export function getDraft(call: RouteCall): Reply<"getDraft"> {
  const { me, cid, parentId } = draftTarget(call);
  const row = drafts.find(call.db, { user_id: me.id, cid, parent_id: parentId });
  if (!row) throw ApiProblem.notFound(`There is no draft in ${parentId ? "this thread" : cid}`);
  return { draft: draftReply(call, me, row) };
}

/** Succeeds without a draft, too. */
export function deleteDraft(call: RouteCall): Reply<"deleteDraft"> {
  const { me, cid, parentId } = draftTarget(call);
  dropDraft(call, me.id, cid, parentId);
  return {};
}

/** The user's drafts in channels the user may still read; a server sees all of them. */
export function queryDrafts(call: RouteCall): Reply<"queryDrafts"> {
  const me = actor(call);
  const listing = readOnlyListing(call.body, DRAFT_LIST, me.id);
  const { rows, ...cursors } = listingPage(call.db, listing, ownChannel(call, me.id));
  return { drafts: fullDrafts(viewContext(call.db, call.emit, call.now(), me.id), rows), ...cursors };
}
