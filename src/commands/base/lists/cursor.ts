/** Reads lists page by page up to a limit and reports the cursor for the next run (specification/wire.md §9). */
import { PageSize, type PageCall } from "../../../model/page-size.ts";
import { isFullPage, PageWalk, SAME_PAGE, straighten } from "../../../model/page-walk.ts";
import { CommandError, type PageRequest } from "../define-command.ts";

/** Refuses `--limit` where everything is read. Throws `CommandError` (usage). */
export function refuseLimit({ given }: PageRequest, what: string): void {
  if (given !== undefined)
    throw new CommandError(
      "usage",
      `${what} holds everything: leave --limit out.`,
      "parley export --limit writes the newest messages of each channel.",
    );
}

/** The largest page that `--page-size` and the endpoint allow. */
export const largestPage = ({ size }: PageRequest, most: number): number => Math.min(size ?? most, most);

/** The error for a list that the provider leads in a circle; what it had is shown before. */
export const repeatedPage = (): CommandError => new CommandError("unavailable", SAME_PAGE, "parley doctor");

/** Pages with a cursor from the provider; `keyOf` names an item, which is shown once. */
export async function* byCursor<T>(
  page: PageRequest,
  maxPageSize: number,
  keyOf: (item: T) => string | undefined,
  fetch: (
    at: { limit: number; next?: string },
    call: PageCall,
  ) => Promise<{ items: readonly T[]; next?: string | undefined }>,
): AsyncIterable<T> {
  const walk = new PageWalk(keyOf, page.next);
  const size = new PageSize(largestPage(page, maxPageSize));
  let count = 0;
  let { next } = page;
  while (count < page.limit) {
    const at = next === undefined ? {} : { next };
    const ask = size.ask((limit, call) => fetch({ limit, ...at }, call), { needed: page.limit - count });
    const { answer: response } = await ask;
    const turn = walk.take(response.items, response.next);
    yield* turn.fresh;
    count += turn.fresh.length;
    if (turn.isStuck) throw repeatedPage();
    ({ next } = turn);
    if (next === undefined) return;
  }
  if (next !== undefined) page.onMore?.(next);
}

interface ByItem<T> {
  /** The largest page of the endpoint. */
  maxPageSize: number;
  /** The page after `after`, or the first one. */
  fetch(at: { limit: number; after?: string }, call: PageCall): Promise<readonly T[]>;
  /** The `after` that continues behind an item, and names it. */
  cursorOf(item: T): string;
  /** Puts the first item of the list first, if its order can be told. */
  compare?(a: T, b: T): number;
  /** Filters items on the client. */
  matches?(item: T): boolean;
  /** True for the first item past the end. */
  isPastEnd?(item: T): boolean;
}

/** For lists that can continue after any item. Requests one more than needed, to know whether there are more. */
export async function* byItem<T>(page: PageRequest, options: ByItem<T>): AsyncIterable<T> {
  const { maxPageSize, fetch, cursorOf, compare, matches, isPastEnd } = options;
  const walk = new PageWalk(cursorOf, page.next);
  const size = new PageSize(largestPage(page, maxPageSize));
  let after = page.next;
  let count = 0;
  for (;;) {
    const at = after === undefined ? {} : { after };
    const ask = size.ask((limit, call) => fetch({ limit, ...at }, call), {
      needed: matches ? maxPageSize : page.limit - count + 1,
    });
    const { answer: response, limit } = await ask;
    if (compare) straighten(response, compare);
    const { fresh } = walk.take(response);
    for (const item of fresh) {
      if (isPastEnd?.(item)) return;
      if (count >= page.limit) return page.onMore?.(after!);
      after = cursorOf(item);
      if (matches && !matches(item)) continue;
      yield item;
      count++;
    }
    if (!isFullPage(response, limit)) return;
    // A full page with nothing new would be asked for again.
    if (fresh.length === 0) throw repeatedPage();
    // The next match may be far away: do not search for it.
    if (matches && count >= page.limit) return page.onMore?.(after!);
  }
}

/**
 * The page request that remains beside items of this machine. If these alone reach the limit, no cursor is reported, which would skip some of them,
 * and as many items are requested as if there were none: any of them may be newer.
 */
export function remainingPage({ onMore, ...page }: PageRequest, localCount: number): PageRequest {
  if (localCount >= page.limit) return page;
  return { ...page, limit: page.limit - localCount, ...(onMore && { onMore }) };
}

/** The error for `--next` with an unpaged list. */
export const noPages = (): CommandError =>
  new CommandError("usage", "This list has no pages: --next cannot be used.", "Use --all.");

/** The error for an invalid `--next`. */
export const wrongCursor = (next: string): CommandError =>
  new CommandError("usage", `--next ${next} is not a place in this list.`, "Take it from the run before.");

/** For lists ordered by id: marks cursors with `after:`, so that an invalid `--next` is detected. Throws `CommandError` (usage). */
export function afterId(page: PageRequest): PageRequest {
  const { next, ...rest } = page;
  const [, id] = /^after:(.+)$/s.exec(next ?? "") ?? [];
  if (next !== undefined && id === undefined) throw wrongCursor(next);
  return {
    ...rest,
    ...(id === undefined ? {} : { next: id }),
    onMore: (at) => page.onMore?.(at === undefined ? at : `after:${at}`),
  };
}

/** Parses `--next` as an offset. Throws `CommandError` (usage). */
export function offsetOf(next: string | undefined): number {
  if (next === undefined) return 0;
  if (/^\d{1,15}$/.test(next)) return Number(next);
  throw wrongCursor(next);
}

/** The error for a list that the provider does not return completely. */
export const listOutOfReach = (count: number): CommandError =>
  new CommandError(
    "partial",
    `the provider lists no more than the first ${count} of these`,
    "It counts its way through this list and no further; narrow the list by a flag of this command, or leave its order out.",
  );
