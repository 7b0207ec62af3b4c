/** Applies unconfirmed edits, deletes and reactions of the user to a message (R-SEND-14). */
import { timeFromMicros } from "../../wire/time.ts";
import type { ClientMessage } from "../../model/state.ts";
import { withReaction } from "./reactions.ts";
import type { ReduceContext, PendingChange } from "./internal-state.ts";

export function withPendingChanges(
  base: ClientMessage,
  changes: readonly PendingChange[],
  context: ReduceContext,
): ClientMessage {
  let shown = base;
  for (const { action } of changes) {
    if (action.kind === "edit") {
      const next: Record<string, unknown> = { ...shown, ...action.set };
      for (const key of action.unset) delete next[key];
      // Requests contain user ids here, loaded messages user objects.
      if (Array.isArray(action.set.mentioned_users)) next.mentioned_users = shown.mentioned_users;
      shown = { ...(next as unknown as ClientMessage), id: base.id, pendingChange: "edit" };
    } else if (action.kind === "delete") {
      shown = {
        ...shown,
        type: "deleted",
        deleted_at: timeFromMicros(context.now * 1000),
        pendingChange: "delete",
      };
    } else if (action.kind !== "send" && context.me !== undefined) {
      shown = {
        ...withReaction(shown, action, context.me, timeFromMicros(context.now * 1000)),
        pendingChange: shown.pendingChange ?? "react",
      };
    }
  }
  return shown;
}
