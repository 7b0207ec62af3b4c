/** Walks lists that page with offsets; those with the newest first also past the largest offset a provider takes. */
import { MAX_OFFSET } from "../../wire/constants.ts";
import type { Filter, Sort } from "../../wire/query.ts";
import type { Page } from "./define-command.ts";
import { offsetOf, outOfReach } from "./cursor.ts";
import { freshPages } from "./fresh-pages.ts";

interface Span {
  limit: number;
  offset: number;
}

interface Order<T> {
  /** The date that the list is ordered by. */
  dateOf(item: T): string;
  /** Tells items of one date apart: those are met again behind the last offset and skipped. */
  keyOf(item: T): string;
  /** Not each item is one of those asked for. */
  isWanted?(item: T): boolean;
}

/** `17`, or `17@2026-…` behind a date. */
function readNext(next: string | undefined): { offset: number; until?: string } {
  const [offset, until] = next?.split("@", 2) ?? [];
  return { offset: offsetOf(offset), ...(until ? { until } : {}) };
}
const nextOf = (offset: number, until: string | undefined): string =>
  until === undefined ? String(offset) : `${offset}@${until}`;

/** Where the next run goes on behind the items of a page that were given; nowhere when no offset and no date leads there. */
function nextBehind<T>(
  { offset, until }: { offset: number; until?: string | undefined },
  given: readonly T[],
  order: Order<T> | undefined,
): string | undefined {
  if (offset + given.length <= MAX_OFFSET) return nextOf(offset + given.length, until);
  const last = order?.dateOf(given.at(-1)!);
  if (!order || last === until) return undefined;
  return nextOf(given.filter((item) => order.dateOf(item) === last).length, last);
}

/**
 * One more than wanted is asked for, to know whether there are more. `fetch` is told a date when it is to leave out what is
 * newer. Throws `CommandError` (partial) where the provider lists no further and more was wanted.
 */
export async function* byOffset<T>(
  page: Page,
  biggest: number,
  fetch: (span: Span, until?: string) => Promise<readonly T[]>,
  order?: Order<T>,
): AsyncIterable<T> {
  const most = Math.min(page.size ?? biggest, biggest);
  const seen = new Set<string>();
  const fresh = freshPages();
  let { offset, until } = readNext(page.next);
  let missing = page.limit;
  let count = 0;
  const goOn = (given: readonly T[]): void => {
    const next = nextBehind({ offset, until }, given, order);
    if (next !== undefined) page.more?.(next);
  };
  for (;;) {
    const limit = order?.isWanted ? most : Math.min(most, missing + 1);
    const items = await fetch({ limit, offset }, until);
    fresh(items);
    for (const [i, item] of items.entries()) {
      const key = order?.keyOf(item);
      if (key !== undefined && seen.has(key)) continue;
      if (missing <= 0) return goOn(items.slice(0, i));
      if (key !== undefined) seen.add(key);
      if (order?.isWanted?.(item) === false) continue;
      yield item;
      missing--;
      count++;
    }
    if (items.length < limit) return;
    // The next that is wanted may be far away: the walk does not go on to look for it.
    if (missing <= 0 && order?.isWanted) return goOn(items);
    offset += items.length;
    if (offset + (order ? limit : 0) <= MAX_OFFSET) continue;
    const last = order?.dateOf(items.at(-1)!);
    // Without an order, or with more of one date than an offset reaches, there is no way past them.
    if (last === until) {
      if (missing <= 0) return;
      throw outOfReach(count);
    }
    until = last;
    offset = 0;
  }
}

/** The same of lists by `created_at` with a filter. */
export const newestFirst = <T extends { created_at: string }>(
  page: Page,
  biggest: number,
  filter: Filter,
  keyOf: (item: T) => string,
  fetch: (span: Span & { filter_conditions: Filter; sort: Sort }) => Promise<readonly T[]>,
): AsyncIterable<T> =>
  byOffset(
    page,
    biggest,
    (span, until) =>
      fetch({
        filter_conditions: until === undefined ? filter : { $and: [filter, { created_at: { $lte: until } }] },
        sort: [{ field: "created_at", direction: -1 }],
        ...span,
      }),
    { dateOf: ({ created_at }) => created_at, keyOf },
  );
