/** What the pages of a list are worth: whether one was full, what of it is new, and whether its cursor leads on (specification/wire.md §9). */
import { receivedLength } from "../wire/reading.ts";
import { compareTimes } from "../wire/time.ts";

/** Whether there may be more behind a page: it counts what the provider sent, whatever of it can be shown. */
export const isFullPage = (page: readonly unknown[], limit: number): boolean => receivedLength(page) >= limit;

/** How far a page of a list by offset leads: what was sent beyond the limit begins the next page as well. */
export const placesTaken = (page: readonly unknown[], limit: number): number =>
  Math.min(receivedLength(page), limit);

/** Turns a page of an answer round that came the other way, in place; `compare` puts the first item of the list first. */
export function straighten<T>(page: readonly T[], compare: (a: NoInfer<T>, b: NoInfer<T>) => number): void {
  let falls = 0;
  for (let i = 1; i < page.length; i++) falls += Math.sign(compare(page[i - 1]!, page[i]!));
  // In place: what was left out of a page is known of the list itself.
  if (falls > 0) (page as T[]).reverse();
}

type Dated = { created_at: string };
export const oldestFirst = (a: Dated, b: Dated): number => compareTimes(a.created_at, b.created_at);

/** Keys that are remembered at least, so that endless lists need no endless memory. */
const MAX_KEYS = 50_000;

/** The last keys in two parts, of which the older one is forgotten. */
class RecentKeys {
  #older: ReadonlySet<string> = new Set();
  #newer = new Set<string>();

  has(key: string): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  /** False when it is there already; what has no name is no other. */
  add(key: string | undefined): boolean {
    if (key === undefined) return true;
    if (this.has(key)) return false;
    this.#newer.add(key);
    if (this.#newer.size >= MAX_KEYS) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return true;
  }
}

/** Why a list ends before its end. */
export const SAME_PAGE = "the provider gives the same page again and again";

/** A page may repeat while others write, and be empty while what is in it is withheld; so many in a row are no list. */
const MAX_REPEATS = 3;
const MAX_EMPTY = 20;

interface PageTurn<T> {
  /** The items that no earlier page had. */
  fresh: T[];
  /** Where the next page begins; absent = the end. */
  next?: string;
  /** The list ends here because the provider leads in a circle. */
  isStuck: boolean;
}

/** One walk through a list. */
export class PageWalk<T> {
  readonly #keyOf: (item: T) => string | undefined;
  readonly #keys = new RecentKeys();
  readonly #cursors = new Set<string>();
  #repeats = 0;
  #empty = 0;

  /** `from`: the cursor of the first page, if it is not the first of the list. */
  constructor(keyOf: (item: T) => string | undefined, from?: string) {
    this.#keyOf = keyOf;
    if (from !== undefined) this.#cursors.add(from);
  }

  /** Whether an item of this name was there before. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /**
   * Takes a page and the cursor behind it, which may depend on what is new. Nothing behind a cursor that was followed before: the end;
   * with items, a circle.
   */
  take(page: readonly T[], behind?: string | ((fresh: readonly T[]) => string | undefined)): PageTurn<T> {
    const fresh = page.filter((item) => this.#keys.add(this.#keyOf(item)));
    const next = typeof behind === "function" ? behind(fresh) : behind;
    const isEmpty = receivedLength(page) === 0;
    this.#empty = isEmpty ? this.#empty + 1 : 0;
    if (fresh.length > 0) this.#repeats = 0;
    else if (page.length > 0) this.#repeats++;
    if (next === undefined) return { fresh, isStuck: false };
    const moves = !this.#cursors.has(next);
    this.#cursors.add(next);
    if (!moves && isEmpty) return { fresh, isStuck: false };
    const isStuck = !moves || this.#repeats >= MAX_REPEATS || this.#empty >= MAX_EMPTY;
    return { fresh, ...(!isStuck && { next }), isStuck };
  }
}
