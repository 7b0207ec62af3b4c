/** Which messages a caller may see, and how they look to that caller (specification/messages.md §8). */
import { can, type Permissions, requireReadChannel, callerPermissions } from "../../access/view/policy.ts";
import { type Visibility, messageRow, isVisible, type MessageRow, noMessage } from "../storage/rows.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { refusePending } from "./pending.ts";
import { viewContext, type ViewContext } from "../../users/view/view-context.ts";

/** What of a channel its reader may see: restricted messages, and since when. */
export function visibilityOf(permissions: Permissions): Visibility {
  return {
    userId: permissions.userId,
    readsRestricted: can(permissions, "read-restricted-visibility-message", false),
    since: permissions.member?.hide_before ?? 0,
  };
}

/** The message of a path and the caller's permissions in its channel: 16 when absent or not for the caller, 17 when closed. */
export function messageFor(
  call: RouteCall,
  id = call.path.id ?? "",
): { row: MessageRow; permissions: Permissions } {
  refusePending(call, id);
  const row = messageRow(call.db, id);
  const permissions = callerPermissions(call, channelRow(call.db, row.cid));
  requireReadChannel(permissions);
  if (!permissions.all && !isVisible(visibilityOf(permissions), row)) throw noMessage(id);
  return { row, permissions };
}

/** What the caller sees; a server sees as nobody in particular. */
export function callerViewContext(call: RouteCall): ViewContext {
  const viewer = call.caller.kind === "anonymous" ? undefined : call.caller.userId;
  return viewContext(call.db, call.emit, call.now(), viewer);
}
