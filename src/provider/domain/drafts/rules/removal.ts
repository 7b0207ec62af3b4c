/** Drafts that end by themselves: sent, or with the channel or message they hang on (DR-3, DR-7). */
import type { RouteCall } from "../../../base/handler.ts";
import { viewContext } from "../../users/view/view-context.ts";
import {
  type DraftData,
  type DraftRow,
  findDraft,
  draftsOfChannel,
  draftsUnderMessages,
  draftsQuoting,
  draftsWithPoll,
  storeDraftLinks,
  removeDraft,
} from "../storage/rows.ts";
import { fullDrafts } from "../view/drafts.ts";

type Ending = Pick<RouteCall, "db" | "emit" | "now">;

/** DR-6: an event for the author's own connections. */
export function publishDraft(call: Ending, type: "draft.updated" | "draft.deleted", row: DraftRow): void {
  const at = viewContext(call.db, call.emit, call.now(), row.user_id);
  const [draft] = fullDrafts(at, [row]);
  const thread = row.parent_id === "" ? {} : { parent_id: row.parent_id };
  call.emit.user(row.user_id, { type, draft, ...thread }, { cid: row.cid });
}

/** Deletes one draft; false when there was none. `parentId` is `""` for the channel's own. */
export function dropDraft(call: Ending, userId: string, cid: string, parentId = ""): boolean {
  const row = findDraft(call.db, userId, cid, parentId);
  if (!row) return false;
  publishDraft(call, "draft.deleted", row);
  removeDraft(call.db, row);
  return true;
}

/** Everybody's drafts of a channel and of its threads, before the channel goes. */
export function dropDraftsOf(call: Ending, cid: string): void {
  for (const row of draftsOfChannel(call.db, cid)) dropDraft(call, row.user_id, cid, row.parent_id);
}

/** The draft without what is gone; one that was nothing else is deleted (DR-2). */
function keepRest(call: Ending, row: DraftRow): void {
  const { text, attachments } = JSON.parse(row.data) as DraftData;
  const empty = text.trim() === "" && !attachments && row.quoted_id === null && row.poll_id === null;
  if (empty) {
    dropDraft(call, row.user_id, row.cid, row.parent_id);
    return;
  }
  storeDraftLinks(call.db, row);
  publishDraft(call, "draft.updated", row);
}

/** Messages are going: drafts under them are deleted, drafts that quote them lose the quote. */
export function releaseDrafts(call: Ending, messageIds: readonly string[]): void {
  for (const row of draftsUnderMessages(call.db, messageIds))
    dropDraft(call, row.user_id, row.cid, row.parent_id);
  for (const row of draftsQuoting(call.db, messageIds)) keepRest(call, { ...row, quoted_id: null });
}

/** A poll was deleted: its maker's drafts lose it. */
export function releasePoll(call: Ending, pollId: string): void {
  for (const row of draftsWithPoll(call.db, pollId)) keepRest(call, { ...row, poll_id: null });
}
