/** Walks message pages to either side: newest first back to a limit, or forward from a time to the end (PAGE-1, PAGE-4). */
import type { Message } from "../../wire/message.ts";
import type { MessagePagination } from "../../wire/query.ts";
import { timeToMs } from "../../wire/time.ts";
import { freshCursors } from "./fresh-pages.ts";
import type { Page } from "./define-command.ts";

/** One page; the provider answers oldest → newest. */
type Fetch = (page: MessagePagination & { limit: number }) => Promise<Message[]>;

/** The newest `page.limit` messages before `page.next`, given oldest first. */
export async function* newest(fetch: Fetch, page: Page, biggest: number): AsyncIterable<Message> {
  const pages: Message[][] = [];
  const fresh = freshCursors();
  let missing = page.limit;
  let before = page.next;
  for (;;) {
    const limit = Math.min(page.size ?? biggest, missing, biggest);
    const got = await fetch(before === undefined ? { limit } : { limit, id_lt: before });
    pages.push(got);
    missing -= got.length;
    const full = got.length >= limit;
    before = got[0]?.id ?? before;
    if (full && missing > 0) {
      if (before !== undefined) fresh(before);
      continue;
    }
    if (full && before !== undefined) page.more?.(before);
    break;
  }
  for (const got of pages.toReversed()) yield* got;
}

/** From the first message at or after a time (or after `page.next`) forward, page by page; memory holds one page. */
export async function* forward(
  fetch: Fetch,
  page: Page,
  biggest: number,
  range: { since: string; until?: string },
): AsyncIterable<Message> {
  const fresh = freshCursors();
  let after = page.next;
  let given = 0;
  for (;;) {
    // One more than is wanted tells whether there are more.
    const limit = Math.min(page.size ?? biggest, biggest, page.limit - given + 1);
    const got = await fetch(
      after === undefined ? { limit, created_at_after_or_equal: range.since } : { limit, id_gt: after },
    );
    for (const message of got) {
      if (range.until !== undefined && timeToMs(message.created_at) > timeToMs(range.until)) return;
      if (given >= page.limit) {
        page.more?.(after!);
        return;
      }
      yield message;
      given++;
      after = message.id;
    }
    if (got.length < limit) return;
    fresh(after!);
  }
}
