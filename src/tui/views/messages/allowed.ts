/** What the person may do with a message, by capabilities and ownership (specification/channels.md §6.3). */
import { isPresent } from "../../../model/message-state.ts";
import type { HeldMessage } from "../../../model/state.ts";
import type { Capability } from "../../../wire/capabilities.ts";
import type { Ui } from "../../ui.ts";

/** Channels from the cache may not know their capabilities yet: then the provider decides. */
export function can(ui: Ui, cid: string, capability: Capability): boolean {
  const capabilities = ui.entry(cid)?.channel.own_capabilities;
  return capabilities === undefined || capabilities.includes(capability);
}

const own = (ui: Ui, message: HeldMessage): boolean => message.user?.id === ui.core.userId;

export function mayEdit(ui: Ui, message: HeldMessage): boolean {
  if (!isPresent(message) || message.type === "system" || message.poll_id) return false;
  return (
    (own(ui, message) && can(ui, message.cid, "update-own-message")) ||
    canAny(ui, message, "update-any-message")
  );
}

export function mayRemove(ui: Ui, message: HeldMessage): boolean {
  if (!isPresent(message)) return false;
  return (
    (own(ui, message) && can(ui, message.cid, "delete-own-message")) ||
    canAny(ui, message, "delete-any-message")
  );
}

/** What only a known capability allows. */
function canAny(ui: Ui, message: HeldMessage, capability: Capability): boolean {
  return ui.entry(message.cid)?.channel.own_capabilities?.includes(capability) ?? false;
}

/** My newest message of this place that can still be edited. */
export function lastOwn(ui: Ui): HeldMessage | undefined {
  const place = ui.writing();
  const set = place && ui.set(place);
  if (!place || !set) return undefined;
  for (let i = set.messages.length - 1; i >= 0; i--) {
    const message = set.messages.at(i)!;
    if (message.user?.id === ui.core.userId && mayEdit(ui, message)) return message;
  }
  return undefined;
}
