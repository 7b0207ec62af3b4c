/** Walks lists that page with cursors (specification/wire.md §9): page after page until the wanted number is given. */
import { freshCursors } from "./fresh-pages.ts";
import type { Page } from "./define-command.ts";

/** `biggest` is the largest page the route gives. The items may be turned into something else on the way by the caller. */
export async function* byCursor<T>(
  page: Page,
  biggest: number,
  fetch: (at: {
    limit: number;
    next?: string;
  }) => Promise<{ items: readonly T[]; next?: string | undefined }>,
): AsyncIterable<T> {
  const fresh = freshCursors();
  let given = 0;
  let { next } = page;
  while (given < page.limit) {
    const limit = Math.min(page.size ?? biggest, biggest, page.limit - given);
    const got = await fetch({ limit, ...(next === undefined ? {} : { next }) });
    for (const item of got.items) {
      yield item;
      given++;
    }
    next = got.next;
    if (next === undefined || got.items.length === 0) return;
    fresh(next);
  }
  if (next !== undefined) page.more?.(next);
}
