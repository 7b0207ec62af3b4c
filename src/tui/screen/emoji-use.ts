/** Which emoji one used last, kept for the next time. */
import type { Core } from "../../core/core.ts";

const MOST = 20;

type Memory = Pick<Core, "remember" | "keep">;

/** Names, the newest first. */
export const recentEmoji = (core: Pick<Memory, "remember">): readonly string[] =>
  core.remember<string[]>("emoji") ?? [];

export function usedEmoji(core: Memory, name: string): void {
  const before = recentEmoji(core);
  if (before[0] === name) return;
  core.keep("emoji", [name, ...before.filter((one) => one !== name)].slice(0, MOST));
}
