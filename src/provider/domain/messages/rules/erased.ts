/** Deletes what belongs to erased messages: thread drafts, quotes in drafts, reminders and votes of their polls. */
import type { RouteCall } from "../../../base/handler.ts";
import { dropDraftsOfChannel, removeMessagesFromDrafts } from "../../drafts/rules/removal.ts";
import { dropReminders } from "../../reminders/rules/events.ts";
import { messagesWithMore } from "../storage/rows.ts";
import { removeVotesWith } from "../../polls/storage/votes.ts";

type Erasing = Pick<RouteCall, "db" | "emit" | "now">;

/** Before the rows are deleted. */
export function beforeErasing(call: Erasing, messageIds: readonly string[]): void {
  if (messageIds.length === 0) return;
  removeMessagesFromDrafts(call, messageIds);
  dropReminders(call, messageIds);
  removeVotesWith(call.db, messageIds);
}

/** Before all messages of a channel up to a moment are erased; of those only what has something to lose is looked at. */
export function beforeTruncating(call: Erasing, cid: string, upTo: number): void {
  beforeErasing(call, messagesWithMore(call.db, cid, upTo));
}

/** Before a channel is deleted (DR-7, RE-7); its messages and their reminders stay when it is deleted softly. */
export function beforeDeletingChannel(call: Erasing, cid: string, hard: boolean): void {
  dropDraftsOfChannel(call, cid);
  if (hard) beforeTruncating(call, cid, Number.MAX_SAFE_INTEGER);
}
