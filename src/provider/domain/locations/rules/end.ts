/** Ending a live location before its time, and telling the watchers of its message. */
import type { RouteCall } from "../../../base/handler.ts";
import { publishMessage } from "../../messages/view/audience.ts";
import { findMessage, type MessageRow } from "../../messages/storage/rows.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { stopLocation } from "../storage/rows.ts";
import { touchMessage } from "../../messages/storage/change.ts";

export function endLocation(call: RouteCall, messageId: string, now: number): void {
  stopLocation(call.db, messageId, now);
  const row = findMessage(call.db, messageId);
  if (row) publishMovedLocation(call, row, now);
}

/** `message.updated` after its location changed (LU-5): the message's `updated_at` moves. */
export function publishMovedLocation(call: RouteCall, row: MessageRow, now: number): void {
  // A fresh message may carry a time after that of the clock, and an update has to be later still.
  const updated = Math.max(now, row.updated_at + 1);
  touchMessage(call.db, row.id, updated);
  const at = viewContext(call.db, call.emit, now);
  publishMessage(call, at, "message.updated", { ...row, updated_at: updated });
}
