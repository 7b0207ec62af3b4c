/** Deletes what depends on erased messages: thread drafts, quotes in drafts and reminders. */
import type { RouteCall } from "../../../base/handler.ts";
import { dropDraftsOfChannel, removeMessagesFromDrafts } from "../../drafts/rules/removal.ts";
import { dropReminders } from "../../reminders/rules/events.ts";
import { messagesWithDependents } from "../storage/rows.ts";

type EraseContext = Pick<RouteCall, "db" | "emit" | "now">;

/** Call before the rows are deleted. */
export function removeDependents(call: EraseContext, messageIds: readonly string[]): void {
  if (messageIds.length === 0) return;
  removeMessagesFromDrafts(call, messageIds);
  dropReminders(call, messageIds);
}

/** Call before all messages of a channel up to a time are erased; only messages with dependent data are read. */
export function removeDependentsUpTo(call: EraseContext, cid: string, upTo: number): void {
  removeDependents(call, messagesWithDependents(call.db, cid, upTo));
}

/** Call before a channel is deleted (DR-7, RE-7); a soft deletion keeps its messages and their reminders. */
export function removeDependentsOfChannel(call: EraseContext, cid: string, hard: boolean): void {
  dropDraftsOfChannel(call, cid);
  if (hard) removeDependentsUpTo(call, cid, Number.MAX_SAFE_INTEGER);
}
