/** Predicates for the state of a message: local, present, pinned. */
import { timeToMs } from "../wire/time.ts";
import type { Message } from "../wire/entities/message.ts";
import type { ClientMessage } from "./state.ts";

/** The provider does not have the message (yet). */
export function isLocal(message: ClientMessage): boolean {
  return message.status === "sending" || message.status === "failed" || message.unstored === true;
}

/** The provider has the message, and it is not deleted. */
export function isPresent(message: ClientMessage): boolean {
  return (
    message.status === undefined &&
    message.type !== "deleted" &&
    message.type !== "ephemeral" &&
    message.type !== "error"
  );
}

/** A pin ends at `pin_expires` without an event, and with its message. `now` = provider time, milliseconds. */
export function isPinned(message: Message, now: number): boolean {
  if (!message.pinned || message.type === "deleted") return false;
  return !message.pin_expires || !(timeToMs(message.pin_expires) <= now);
}
