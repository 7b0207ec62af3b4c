/** Reads lists page by page until the wanted number is reached, and tells where the next run goes on (specification/wire.md §9). */
import { CommandError, type PageRequest } from "../define-command.ts";
import { freshCursors } from "./fresh-pages.ts";

/** `biggest` is the largest page the route gives. The items may be turned into something else on the way by the caller. */
export async function* byCursor<T>(
  page: PageRequest,
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

interface ByItem<T> {
  /** The largest page the route gives. */
  biggest: number;
  /** The page behind `after`; without it the first. */
  fetch(at: { limit: number; after?: string }): Promise<readonly T[]>;
  /** What `fetch` is given to go on behind the item. */
  cursorOf(item: T): string;
  /** Only these are given and counted. */
  keep?(item: T): boolean;
  /** True of the first item behind the end of what is wanted. */
  ends?(item: T): boolean;
}

/** Lists that can go on behind any of their items: one more than wanted is asked for, to know whether there are more. */
export async function* byItem<T>(page: PageRequest, how: ByItem<T>): AsyncIterable<T> {
  const { biggest, fetch, cursorOf, keep, ends } = how;
  const fresh = freshCursors();
  let after = page.next;
  let given = 0;
  for (;;) {
    const limit = Math.min(page.size ?? biggest, biggest, keep ? biggest : page.limit - given + 1);
    const got = await fetch({ limit, ...(after === undefined ? {} : { after }) });
    for (const item of got) {
      if (ends?.(item)) return;
      if (given >= page.limit) return page.more?.(after!);
      after = cursorOf(item);
      if (keep && !keep(item)) continue;
      yield item;
      given++;
    }
    if (got.length < limit) return;
    // The next that is kept may be far away: the walk does not go on to look for it.
    if (keep && given >= page.limit) return page.more?.(after!);
    fresh(after!);
  }
}

/** A list that comes whole goes on nowhere. */
export const noPages = (): CommandError =>
  new CommandError("usage", "This list has no pages: --next cannot be used.", "Use --all.");

/** The list goes on at other places than this one. */
export const wrongCursor = (next: string): CommandError =>
  new CommandError("usage", `--next ${next} is not a place in this list.`, "Take it from the run before.");

/**
 * A list by id goes on behind any text, also behind one that is no id of it: its places are marked, so that others are
 * found. Throws `CommandError` (usage).
 */
export function afterId(page: PageRequest): PageRequest {
  const { next, ...rest } = page;
  const [, id] = /^after:(.+)$/s.exec(next ?? "") ?? [];
  if (next !== undefined && id === undefined) throw wrongCursor(next);
  return {
    ...rest,
    ...(id === undefined ? {} : { next: id }),
    more: (at) => page.more?.(at === undefined ? at : `after:${at}`),
  };
}

/** The number that `--next` is where a list goes by offset. Throws `CommandError` (usage) for what is none. */
export function offsetOf(next: string | undefined): number {
  if (next === undefined) return 0;
  if (/^\d{1,15}$/.test(next)) return Number(next);
  throw wrongCursor(next);
}

/** A list ends where the provider gives no more of it, although there is more: that is no whole list. */
export const outOfReach = (given: number): CommandError =>
  new CommandError(
    "partial",
    `the provider lists no more than the first ${given} of these`,
    "It counts its way through this list and no further; narrow the list by a flag of this command, or leave its order out.",
  );
