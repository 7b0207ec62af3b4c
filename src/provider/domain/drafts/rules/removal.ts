/** Removes drafts that were sent, or whose channel, message or poll was deleted (DR-3, DR-7). */
import type { RouteCall } from "../../../base/handler.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { drafts, type DraftData, type DraftRow } from "../storage/drafts.ts";
import { fullDrafts } from "../view/drafts.ts";

type DraftCall = Pick<RouteCall, "db" | "emit" | "now">;

/** DR-6: an event for the author's own connections. */
export function publishDraft(call: DraftCall, type: "draft.updated" | "draft.deleted", row: DraftRow): void {
  const context = viewContext(call.db, call.emit, call.now(), row.user_id);
  const [draft] = fullDrafts(context, [row]);
  const thread = row.parent_id === "" ? {} : { parent_id: row.parent_id };
  call.emit.user(row.user_id, { type, draft, ...thread }, { cid: row.cid });
}

/** Deletes a draft; false when there was none. `parentId` is `""` for the draft of the channel itself. */
export function dropDraft(call: DraftCall, userId: string, cid: string, parentId = ""): boolean {
  const key = { user_id: userId, cid, parent_id: parentId };
  const row = drafts.find(call.db, key);
  if (!row) return false;
  publishDraft(call, "draft.deleted", row);
  drafts.remove(call.db, key);
  return true;
}

/** Deletes all drafts of a channel and its threads, before the channel is deleted. */
export function dropDraftsOfChannel(call: DraftCall, cid: string): void {
  for (const row of drafts.list(call.db, { cid })) dropDraft(call, row.user_id, cid, row.parent_id);
}

/** Stores a draft that lost its quote or poll, or deletes it if nothing else is in it (DR-2). */
function storeOrDrop(call: DraftCall, row: DraftRow): void {
  const { text, attachments } = JSON.parse(row.data) as DraftData;
  const empty = text.trim() === "" && !attachments && row.quoted_id === null && row.poll_id === null;
  if (empty) {
    dropDraft(call, row.user_id, row.cid, row.parent_id);
    return;
  }
  drafts.update(call.db, row, { quoted_id: row.quoted_id, poll_id: row.poll_id });
  publishDraft(call, "draft.updated", row);
}

/** Before messages are deleted: deletes the drafts of their threads, and removes the quote from drafts that quote them. */
export function removeMessagesFromDrafts(call: DraftCall, messageIds: readonly string[]): void {
  for (const row of drafts.list(call.db, { parent_id: { in: messageIds, not: "" } }))
    dropDraft(call, row.user_id, row.cid, row.parent_id);
  for (const row of drafts.list(call.db, { quoted_id: { in: messageIds, not: null } }))
    storeOrDrop(call, { ...row, quoted_id: null });
}

/** Removes a deleted poll from drafts. */
export function removePollFromDrafts(call: DraftCall, pollId: string): void {
  for (const row of drafts.list(call.db, { poll_id: pollId })) storeOrDrop(call, { ...row, poll_id: null });
}
