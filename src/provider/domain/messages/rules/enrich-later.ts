/** Adds the link preview after sending (`async_url_enrich_enabled`), with a separate `message.updated` (OG-4). */
import type { RouteCall } from "../../../base/handler.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { publishMessage } from "../view/audience.ts";
import { withPreview, type Prepared } from "./enrichment.ts";
import { findMessage, type MessageData } from "../storage/rows.ts";
import { setMessageData } from "../storage/change.ts";

/** Does nothing for a message that was changed or deleted before its page was read. */
export function enrichLater(call: RouteCall, id: string, { url, later }: Prepared): void {
  if (!later || url === undefined) return;
  const text = findMessage(call.db, id)?.text;
  call.afterCommit?.(later, (followUp, preview) => {
    const row = findMessage(followUp.db, id);
    if (!preview || !row || row.type === "deleted" || row.text !== text) return;
    const data = JSON.parse(row.data) as MessageData;
    const attachments = withPreview(data.attachments ?? [], preview);
    if (attachments === data.attachments) return;
    const now = followUp.now();
    const updatedAt = Math.max(now, row.updated_at + 1);
    setMessageData(followUp.db, id, JSON.stringify({ ...data, attachments, enriched: url }), updatedAt);
    const context = viewContext(followUp.db, followUp.emit, now);
    publishMessage(followUp, context, "message.updated", findMessage(followUp.db, id)!);
  });
}
