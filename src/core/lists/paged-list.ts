/** A list that is loaded page by page with the provider's cursors (specification/wire.md §9). */
import { createObservable, type Observable } from "../base/observable.ts";
import { errorMessage } from "../../model/errors.ts";
import { PageSize, type PageCall } from "../../model/page-size.ts";
import { PageWalk, SAME_PAGE } from "../../model/page-walk.ts";

interface PageState<T> {
  items: readonly T[];
  /** Cursor of the next page; absent = the end, once `loaded`. */
  next?: string;
  loaded: boolean;
  loading: boolean;
  /** Why the last page could not be loaded. */
  error?: string;
}

/** A page: its items and the cursor of the next page; absent = the end. */
export interface OnePage<T> {
  items: readonly T[];
  next?: string | undefined;
}

/** Which page: the first, or the one at cursor `next`; `limit` overrides the page size of the list. */
export interface PageAt extends PageCall {
  next?: string | undefined;
  limit?: number;
}

export interface PagedList<T> extends Observable<PageState<T>> {
  /** Fetches one page without adding it to the list. */
  page(at: PageAt): Promise<OnePage<T>>;
  /** Reloads the first page; late answers of earlier loads are ignored. Rejects as the call does. */
  load(): Promise<void>;
  /** Loads the next page; false when there is none or one is loading. */
  more(): Promise<boolean>;
}

interface ChangeablePagedList<T> extends PagedList<T> {
  change(next: (items: readonly T[]) => readonly T[]): void;
  /** Empties the list; running requests are ignored. */
  reset(): void;
}

/** Pages loaded into the list are retried once, because the user waits for them, and get smaller on a slow line. */
export function createPagedList<T>(
  fetchPage: (at: PageAt, options?: { retries: number }) => Promise<OnePage<T>>,
  keyOf: (item: T) => string,
  pageSize: number,
): ChangeablePagedList<T> {
  const size = new PageSize(pageSize);
  const initial: PageState<T> = { items: [], loaded: false, loading: false };
  const observable = createObservable<PageState<T>>(initial);
  let generation = 0;
  let walk = new PageWalk(keyOf);

  async function page(next: string | undefined): Promise<void> {
    const started = next === undefined ? ++generation : generation;
    if (next === undefined) walk = new PageWalk(keyOf);
    observable.set({ ...observable.state(), loading: true });
    try {
      const { answer } = await size.ask((limit, call) => fetchPage({ next, limit, ...call }, { retries: 1 }));
      if (started !== generation) return;
      const before = next === undefined ? [] : observable.state().items;
      const turn = walk.take(answer.items, answer.next);
      const ids = new Set(answer.items.map(keyOf));
      observable.set({
        items: [...before.filter((item) => !ids.has(keyOf(item))), ...answer.items],
        ...(turn.next !== undefined && { next: turn.next }),
        ...(turn.isStuck && { error: SAME_PAGE }),
        loaded: true,
        loading: false,
      });
      // Nobody scrolls to the end of nothing new.
      if (turn.next !== undefined && turn.fresh.length === 0) await page(turn.next);
    } catch (error) {
      const reason = errorMessage(error);
      if (started === generation) observable.set({ ...observable.state(), loading: false, error: reason });
      throw error;
    }
  }

  return {
    state: observable.state,
    subscribe: observable.subscribe,
    page: (at) => fetchPage(at),
    load: () => page(undefined),
    async more() {
      const { next, loading } = observable.state();
      if (next === undefined || loading) return false;
      await page(next);
      return true;
    },
    change(next) {
      const state = observable.state();
      const items = next(state.items);
      if (items !== state.items) observable.set({ ...state, items });
    },
    reset() {
      generation += 1;
      observable.set(initial);
    },
  };
}
