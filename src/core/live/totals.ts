/** Computes the unread totals from the provider's list of unread channels and threads (R-READ-8). */
import type { State } from "../../model/state.ts";

interface UnreadAnswer {
  total_unread_count: number;
  channels: readonly { unread_count: number }[];
  threads: readonly { unread_count: number }[];
}

/** Whether the loaded channels add up to the totals: a message deleted after the first frame in a channel that is not yet watched has no event. */
export function areTotalsPlausible({ channels, totals }: Pick<State, "channels" | "totals">): boolean {
  let unread = 0;
  for (const entry of channels.values()) unread += entry.unread;
  return unread === totals.unread;
}

export function totalsOf(answer: UnreadAnswer): State["totals"] {
  const unread = (list: readonly { unread_count: number }[]): number =>
    list.filter((each) => each.unread_count > 0).length;
  return {
    unread: answer.total_unread_count,
    channels: unread(answer.channels),
    threads: unread(answer.threads),
  };
}
