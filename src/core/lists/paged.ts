/** A list that is loaded page by page with the provider's own cursors (specification/wire.md §9). */
import { createObservable, type Observable } from "../base/observable.ts";

interface PageState<T> {
  items: readonly T[];
  /** Of the next page; absent = the end, once `loaded`. */
  next?: string;
  loaded: boolean;
  loading: boolean;
  /** Why the last page did not come, a sentence. */
  error?: string;
}

/** One page of the provider's: its items, and where the next begins; absent = the end. */
export interface OnePage<T> {
  items: readonly T[];
  next?: string | undefined;
}

/** Which page: from the beginning, or from the `next` of the one before; `limit` items, else as many as the list asks for. */
export interface PageAt {
  next?: string | undefined;
  limit?: number;
}

export interface PagedList<T> extends Observable<PageState<T>> {
  /** One page that is held nowhere, for whoever walks them himself. */
  page(at: PageAt): Promise<OnePage<T>>;
  /** The first page anew; an older answer that comes late is void. Rejects with what the call rejects with. */
  load(): Promise<void>;
  /** The next page; false when there is none or one is on its way. */
  more(): Promise<boolean>;
}

interface ChangeablePagedList<T> extends PagedList<T> {
  /** Changes what is held, when an event or an answer says so. */
  change(next: (items: readonly T[]) => readonly T[]): void;
  /** As it was before the first load; running answers are void. */
  reset(): void;
}

/** `how` of a page that is loaded into the list: a person waits for it, so it is asked for once more when nothing came. */
export function createPagedList<T>(
  ask: (at: PageAt, how?: { retries: number }) => Promise<OnePage<T>>,
  keyOf: (item: T) => string,
): ChangeablePagedList<T> {
  const nothing: PageState<T> = { items: [], loaded: false, loading: false };
  const cell = createObservable<PageState<T>>(nothing);
  let round = 0;

  async function page(next: string | undefined): Promise<void> {
    const mine = next === undefined ? ++round : round;
    cell.set({ ...cell.state(), loading: true });
    try {
      const answer = await ask({ next }, { retries: 1 });
      if (mine !== round) return;
      const before = next === undefined ? [] : cell.state().items;
      const named = new Set(answer.items.map(keyOf));
      cell.set({
        items: [...before.filter((item) => !named.has(keyOf(item))), ...answer.items],
        ...(answer.next !== undefined && { next: answer.next }),
        loaded: true,
        loading: false,
      });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (mine === round) cell.set({ ...cell.state(), loading: false, error: words });
      throw error;
    }
  }

  return {
    state: cell.state,
    subscribe: cell.subscribe,
    page: (at) => ask(at),
    load: () => page(undefined),
    async more() {
      const { next, loading } = cell.state();
      if (next === undefined || loading) return false;
      await page(next);
      return true;
    },
    change(next) {
      const state = cell.state();
      const items = next(state.items);
      if (items !== state.items) cell.set({ ...state, items });
    },
    reset() {
      round += 1;
      cell.set(nothing);
    },
  };
}
