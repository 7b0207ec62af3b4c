/** Messages that moderation returned to their author. */
import type { HeldMessage } from "./state.ts";

/** The words of a message were refused (specification/errors.md). */
const REFUSED_WORDS = 73;

/** Refused for its words by a blocklist, or answered with a verdict that asks its author to change it. */
export function isBounced(message: HeldMessage): boolean {
  if (message.status === "failed" && message.error?.code === REFUSED_WORDS) return true;
  const { moderation } = message as { moderation?: { action?: unknown } };
  return message.type === "error" && moderation?.action === "bounce";
}
