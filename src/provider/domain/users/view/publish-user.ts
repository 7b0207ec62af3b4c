/** Publishes changes of a user to the users who observe its presence (specification/users.md §12, specification/events.md §3). */
import type { Emit } from "../../../base/emit.ts";
import { publicUser } from "./users.ts";
import type { UserRow } from "../storage/rows.ts";

export interface UserChanges {
  /** Whether a field that others see changed. */
  visible: boolean;
  status: boolean;
  invisible: boolean;
}

/**
 * Emits `user.updated` when a field that others see changed, and `user.presence.changed` when `status` changed, or `invisible`
 * while the user was `present` (had a connection before this change).
 */
export function publishChangedUser(emit: Emit, after: UserRow, changed: UserChanges, present: boolean): void {
  const user = publicUser(after, emit.online(after.id));
  if (changed.visible) emit.presence(after.id, { type: "user.updated", user });
  if (changed.status || (changed.invisible && present))
    emit.presence(after.id, { type: "user.presence.changed", user });
}
