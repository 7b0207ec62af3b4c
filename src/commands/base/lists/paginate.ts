/** Reads pages of messages: back from the newest to a limit, or forward from a time to the end (PAGE-1, PAGE-4). */
import type { Message } from "../../../wire/entities/message.ts";
import type { MessagePagination } from "../../../wire/entities/query.ts";
import { timeToMs } from "../../../wire/time.ts";
import { byItem } from "./cursor.ts";
import { freshCursors } from "./fresh-pages.ts";
import type { PageRequest } from "../define-command.ts";

/** Requests one page, ordered oldest → newest. */
type Fetch = (page: MessagePagination & { limit: number }) => Promise<Message[]>;

/** Filters messages on the client. */
type Keep = (message: Message) => boolean;

/** The newest `page.limit` messages before `page.next`, oldest first. */
export async function* newest(
  fetch: Fetch,
  page: PageRequest,
  biggest: number,
  keep?: Keep,
): AsyncIterable<Message> {
  const pages: Message[][] = [];
  const fresh = freshCursors();
  let missing = page.limit;
  let before = page.next;
  for (;;) {
    const limit = Math.min(page.size ?? biggest, keep ? biggest : missing, biggest);
    const got = await fetch(before === undefined ? { limit } : { limit, id_lt: before });
    const kept = (keep ? got.filter(keep) : got).slice(-missing);
    pages.push(kept);
    missing -= kept.length;
    const full = got.length >= limit;
    // Limit reached: the next run continues before the oldest returned message, even inside a page.
    before = (missing === 0 ? kept : got)[0]?.id ?? before;
    if (full && missing > 0) {
      if (before !== undefined) fresh(before);
      continue;
    }
    const cut = missing === 0 && got[0] !== undefined && got[0].id !== before;
    if ((full || cut) && before !== undefined) page.more?.(before);
    break;
  }
  for (const got of pages.toReversed()) yield* got;
}

/** Messages from a time (or after `page.next`) forward; holds one page in memory. */
export function pagesForward(
  fetch: Fetch,
  page: PageRequest,
  biggest: number,
  range: { since: string; until?: string | undefined },
  keep?: Keep,
): AsyncIterable<Message> {
  const { since, until } = range;
  return byItem(page, {
    biggest,
    fetch: ({ limit, after }) =>
      fetch(after === undefined ? { limit, created_at_after_or_equal: since } : { limit, id_gt: after }),
    cursorOf: ({ id }) => id,
    ends: (message) => until !== undefined && timeToMs(message.created_at) > timeToMs(until),
    ...(keep && { keep }),
  });
}
