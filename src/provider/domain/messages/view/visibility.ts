/** Which messages a caller may see, and the view context of the caller (specification/messages.md §8). */
import { can, type Permissions, requireReadChannel, callerPermissions } from "../../access/view/policy.ts";
import { type Visibility, messageRow, isVisible, type MessageRow, noMessage } from "../storage/rows.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { refusePending } from "./pending.ts";
import { viewContext, type ViewContext } from "../../users/view/view-context.ts";

/** The visibility of a channel's messages for its reader. */
export function visibilityOf(permissions: Permissions): Visibility {
  return {
    userId: permissions.userId,
    readsRestricted: can(permissions, "read-restricted-visibility-message", false),
    since: permissions.member?.hide_before ?? 0,
  };
}

/** The message of a path and the caller's permissions in its channel: 16 when it does not exist or is not visible, 17 when the channel is not readable. */
export function messageFor(
  call: RouteCall,
  id = call.path.id ?? "",
): { row: MessageRow; permissions: Permissions } {
  refusePending(call, id);
  const row = messageRow(call.db, id);
  const permissions = callerPermissions(call, channelRow(call.db, row.cid));
  requireReadChannel(permissions);
  if (!permissions.unrestricted && !isVisible(visibilityOf(permissions), row)) throw noMessage(id);
  return { row, permissions };
}

/** The view context of the caller; for a server without a user and for anonymous callers, of no user. */
export function callerViewContext(call: RouteCall): ViewContext {
  const viewer = call.caller.kind === "anonymous" ? undefined : call.caller.userId;
  return viewContext(call.db, call.emit, call.now(), viewer);
}
