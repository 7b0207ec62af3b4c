/** Messages that moderation returned to their author. */
import type { HeldMessage } from "./state.ts";

/** The words of a message were refused (specification/errors.md). */
const REFUSED_WORDS = 73;

/** Refused for its words by a blocklist, or answered with a verdict that asks its author to change it. */
export function isBounced({ status, error, type, ...rest }: HeldMessage): boolean {
  if (status === "failed" && error?.code === REFUSED_WORDS) return true;
  const { moderation } = rest as { moderation?: { action?: unknown } };
  return type === "error" && moderation?.action === "bounce";
}
