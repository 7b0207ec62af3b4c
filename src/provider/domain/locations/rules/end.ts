/** Ends a live location early, and publishes changes of a location. */
import type { RouteCall } from "../../../base/handler.ts";
import { publishMessage } from "../../messages/view/audience.ts";
import { findMessage, type MessageRow } from "../../messages/storage/rows.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { locations } from "../storage/rows.ts";
import { touchMessage } from "../../messages/storage/change.ts";

export function endLocation(call: RouteCall, messageId: string, now: number): void {
  locations.change(call.db, { message_id: messageId }, { end_at: now, updated_at: now });
  const row = findMessage(call.db, messageId);
  if (row) publishLocationChange(call, row, now);
}

/** Sends `message.updated` with a new `updated_at` after the location of a message changed (LU-5). */
export function publishLocationChange(call: RouteCall, row: MessageRow, now: number): void {
  // The times of a new message may be ahead of the clock; the update has to be later than those.
  const updated = Math.max(now, row.updated_at + 1);
  touchMessage(call.db, row.id, updated);
  const context = viewContext(call.db, call.emit, now);
  publishMessage(call, context, "message.updated", { ...row, updated_at: updated });
}
