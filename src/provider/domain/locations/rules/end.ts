/** Ending a live location before its time, and telling the watchers of its message. */
import type { RouteCall } from "../../../base/handler.ts";
import { visibleTo } from "../../messages/view/audience.ts";
import { findMessage, type MessageRow } from "../../messages/storage/rows.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { stopLocation } from "../storage/rows.ts";
import { touchMessage } from "../../messages/storage/change.ts";

export function endLocation(call: RouteCall, permissions: Permissions, messageId: string, now: number): void {
  stopLocation(call.db, messageId, now);
  const row = findMessage(call.db, messageId);
  if (row) publishMovedLocation(call, permissions, row, now);
}

/** `message.updated` after its location changed (LU-5): the message's `updated_at` moves. */
export function publishMovedLocation(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  now: number,
): void {
  // A fresh message may carry a time after that of the clock, and an update has to be later still.
  const updated = Math.max(now, row.updated_at + 1);
  touchMessage(call.db, row.id, updated);
  const view = messageView(viewContext(call.db, call.emit, now), { ...row, updated_at: updated });
  call.emit.watchers(
    permissions.channel.cid,
    { type: "message.updated", user: view.user, message: view, message_id: row.id },
    undefined,
    visibleTo(call, row),
  );
}
