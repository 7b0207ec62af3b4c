/** A list that is loaded page by page with the provider's own cursors (specification/wire.md §9). */
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";

interface PageState<T> {
  items: readonly T[];
  /** Of the next page; absent = the end, once `loaded`. */
  next?: string;
  loaded: boolean;
  loading: boolean;
  /** Why the last page did not come, a sentence. */
  error?: string;
}

export interface PagedList<T> extends Observable<PageState<T>> {
  /** The first page anew; an older answer that comes late is void. Rejects with what the call rejects with. */
  load(): Promise<void>;
  /** The next page; false when there is none or one is on its way. */
  more(): Promise<boolean>;
}

interface Pages<T> extends PagedList<T> {
  /** Changes what is held, when an event or an answer says so. */
  change(next: (items: readonly T[]) => readonly T[]): void;
  /** As it was before the first load; running answers are void. */
  forget(): void;
}

export function createPages<T>(
  ask: (next: string | undefined) => Promise<{ items: readonly T[]; next?: string | undefined }>,
  keyOf: (item: T) => string,
): Pages<T> {
  const nothing: PageState<T> = { items: [], loaded: false, loading: false };
  const cell = createObservable<PageState<T>>(nothing);
  let round = 0;

  async function page(next: string | undefined): Promise<void> {
    const mine = next === undefined ? ++round : round;
    cell.set({ ...cell.state(), loading: true });
    try {
      const answer = await ask(next);
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
    forget() {
      round += 1;
      cell.set(nothing);
    },
  };
}
