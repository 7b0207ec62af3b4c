/** Computes the unread totals from the provider's list of unread channels and threads (R-READ-8). */
import type { State } from "../../model/state.ts";

interface UnreadAnswer {
  total_unread_count: number;
  channels: readonly { unread_count: number }[];
  threads: readonly { unread_count: number }[];
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
