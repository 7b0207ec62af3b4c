/** What goes with messages that are erased for good: thread drafts, quotes in drafts, reminders and the votes of their polls. */
import type { RouteCall } from "../../../base/handler.ts";
import { dropDraftsOf, releaseDrafts } from "../../drafts/rules/forget.ts";
import { dropReminders } from "../../reminders/rules/events.ts";

type Erasing = Pick<RouteCall, "db" | "emit" | "now">;

/** Before the rows are deleted. Votes are shared by all messages with the poll (V-11): they go with the last one. */
export function beforeErasing(call: Erasing, messageIds: readonly string[]): void {
  if (messageIds.length === 0) return;
  releaseDrafts(call, messageIds);
  dropReminders(call, messageIds);
  const ids = JSON.stringify(messageIds);
  call.db.run(
    `DELETE FROM poll_votes WHERE poll_id IN (SELECT poll_id FROM message_rows m WHERE m.poll_id IS NOT NULL
     AND m.id IN (SELECT value FROM json_each(?1)) AND NOT EXISTS (SELECT 1 FROM message_rows o WHERE o.poll_id = m.poll_id
     AND o.id NOT IN (SELECT value FROM json_each(?1))))`,
    ids,
  );
}

/** Before all messages of a channel up to a moment are erased; of those only what has something to lose is looked at. */
export function beforeTruncating(call: Erasing, cid: string, upTo: number): void {
  const rows = call.db.all<{ id: string }>(
    `SELECT m.id FROM messages m WHERE m.cid = ?1 AND m.created_at <= ?2 AND (m.poll_id IS NOT NULL
     OR EXISTS (SELECT 1 FROM reminders r WHERE r.message_id = m.id)
     OR EXISTS (SELECT 1 FROM drafts d WHERE d.parent_id = m.id AND d.parent_id <> '')
     OR EXISTS (SELECT 1 FROM drafts d WHERE d.quoted_id = m.id AND d.quoted_id IS NOT NULL))`,
    cid,
    upTo,
  );
  beforeErasing(
    call,
    rows.map(({ id }) => id),
  );
}

/** Before a channel is deleted (DR-7, RE-7); its messages and their reminders stay when it is deleted softly. */
export function beforeDeletingChannel(call: Erasing, cid: string, hard: boolean): void {
  dropDraftsOf(call, cid);
  if (hard) beforeTruncating(call, cid, Number.MAX_SAFE_INTEGER);
}
