/** Messages that moderation returned to their author. */
import type { ClientMessage } from "./state.ts";

/** The provider's code for a message refused because of its words (specification/errors.md). */
const REFUSED_WORDS = 73;

/** Whether a blocklist refused the message, or moderation returned it to be changed. */
export function isBounced(message: ClientMessage): boolean {
  if (message.status === "failed" && message.error?.code === REFUSED_WORDS) return true;
  const { moderation } = message as { moderation?: { action?: unknown } };
  return message.type === "error" && moderation?.action === "bounce";
}
