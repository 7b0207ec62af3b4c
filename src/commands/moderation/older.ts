/** Walks lists that page with offsets, newest first, past the largest offset a provider takes. */
import { freshPages } from "../base/fresh-pages.ts";
import { offsetOf, outOfReach } from "../base/cursor.ts";
import { MAX_OFFSET } from "../../wire/constants.ts";
import type { Filter, Sort } from "../../wire/query.ts";
import type { Page } from "../base/define-command.ts";

interface Span {
  filter_conditions: Filter;
  sort: Sort;
  limit: number;
  offset: number;
}

/** `17`, or `17@2026-…` behind a date. */
function readNext(next: string | undefined): { offset: number; until?: string } {
  const [offset, until] = next?.split("@", 2) ?? [];
  return { offset: offsetOf(offset), ...(until ? { until } : {}) };
}

/** `keyOf` tells items of one date apart: those are met again behind the last offset and skipped. */
export async function* olderAndOlder<T extends { created_at: string }>(
  page: Page,
  biggest: number,
  filter: Filter,
  keyOf: (item: T) => string,
  fetch: (span: Span) => Promise<readonly T[]>,
): AsyncIterable<T> {
  const seen = new Set<string>();
  const fresh = freshPages();
  let { offset, until } = readNext(page.next);
  let given = 0;
  for (;;) {
    const limit = Math.min(page.size ?? biggest, biggest, page.limit - given);
    const items = await fetch({
      filter_conditions: until === undefined ? filter : { $and: [filter, { created_at: { $lte: until } }] },
      sort: [{ field: "created_at", direction: -1 }],
      limit,
      offset,
    });
    for (const item of items) {
      if (seen.has(keyOf(item))) continue;
      seen.add(keyOf(item));
      yield item;
      given++;
    }
    if (items.length < limit) return;
    fresh(items);
    offset += items.length;
    if (given >= page.limit) return page.more?.(until === undefined ? String(offset) : `${offset}@${until}`);
    if (offset + limit <= MAX_OFFSET) continue;
    const last = items.at(-1)!.created_at;
    // more of one date than an offset reaches: there is no way past them
    if (last === until) throw outOfReach(given);
    until = last;
    offset = 0;
  }
}
