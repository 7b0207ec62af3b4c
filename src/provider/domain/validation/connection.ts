/** Checks that a caller who asks for `watch` or `presence` has an open connection. */
import type { RouteCall } from "../../base/handler.ts";
import { NEEDS_CONNECTION } from "../../realtime/sync.ts";
import { invalidField } from "./check.ts";

/** `watch` and `presence` need a live connection of the caller (specification/realtime.md §8): code 4 with its text otherwise. */
export function requireConnection(
  call: RouteCall,
  watch: boolean | undefined,
  presence: boolean | undefined,
): void {
  const field = watch ? "watch" : presence ? "presence" : undefined;
  if (!field) return;
  const { caller, connectionId } = call;
  if (caller.kind === "server") throw invalidField(field, "is not possible with server-side auth");
  if (!connectionId || !call.emit.isOpen(connectionId, caller.userId ?? "!anon"))
    throw invalidField(field, "needs an open connection of yours", NEEDS_CONNECTION);
}
