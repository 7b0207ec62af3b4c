/** How many items a page asks for: more after an answer, fewer after none in time (specification/wire.md §9). */
import { ApiError, TransportError } from "./errors.ts";

/** Each answer makes the next page larger by this factor, and each time-out smaller. */
const FACTOR = 3;

/**
 * Answers after which pages may be twice as large as since a time-out. A larger page costs a long wait where the line is
 * as slow as before, so each one that fails doubles this number; after one that is answered, few are enough.
 */
const ANSWERS_BEFORE_MORE = { first: 8, most: 64, onceBetter: 2 };

/** 504, or no answer in time. A connection that could not be made says nothing about the page. */
export const wasTooMuch = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status === 504
    : error instanceof TransportError && error.kind === "timeout" && !error.neverSent;

/** Of the call for a page: without an answer in time it is not repeated, but asked for again with fewer items. */
export interface PageCall {
  shrinks?: true;
}

/** The page size of a list, or of several with items of one kind. */
export class PageSize {
  readonly #most: number;
  #size: number;
  /** Half of the last page that was too much, and more after enough answers. */
  #ceiling: number;
  #answers = 0;
  #answersNeeded = ANSWERS_BEFORE_MORE.first;
  /** As long as the line is no better. */
  #answersWhileSlow = ANSWERS_BEFORE_MORE.first;
  /** Since the last time-out. */
  #hasAnswer = false;
  /** The ceiling before it was raised; Infinity since a time-out. */
  #lowerCeiling = Infinity;

  constructor(most: number, first = most) {
    this.#size = first;
    this.#most = most;
    this.#ceiling = most;
  }

  /**
   * Requests a page of at most `needed` items, smaller and smaller while no answer comes in time. `limit`: how many were
   * asked for at last; the request hands its second argument to the call. Throws when a page of `least` items is too much as well.
   */
  async ask<T>(
    request: (limit: number, call: PageCall) => Promise<T>,
    { needed = Infinity, least = 1 } = {},
  ): Promise<{ answer: T; limit: number }> {
    for (;;) {
      const limit = Math.max(least, Math.min(this.#size, needed));
      try {
        const answer = await request(limit, limit > least ? { shrinks: true } : {});
        this.#grow(limit);
        return { answer, limit };
      } catch (error) {
        if (limit <= least || !wasTooMuch(error)) throw error;
        this.#shrink(limit);
      }
    }
  }

  #shrink(limit: number): void {
    this.#size = Math.max(1, Math.floor(limit / FACTOR));
    this.#ceiling = Math.max(1, Math.floor(limit / 2));
    this.#answers = 0;
    if (this.#hasAnswer)
      this.#answersWhileSlow = Math.min(this.#answersWhileSlow * 2, ANSWERS_BEFORE_MORE.most);
    this.#answersNeeded = this.#answersWhileSlow;
    this.#hasAnswer = false;
    this.#lowerCeiling = Infinity;
  }

  #grow(limit: number): void {
    this.#hasAnswer = true;
    this.#answers += 1;
    if (limit > this.#lowerCeiling) this.#answersNeeded = ANSWERS_BEFORE_MORE.onceBetter;
    if (this.#answers >= this.#answersNeeded) {
      this.#lowerCeiling = this.#ceiling;
      this.#ceiling = Math.min(this.#ceiling * 2, this.#most);
      this.#answers = 0;
    }
    this.#size = Math.min(Math.max(this.#size, limit * FACTOR), this.#ceiling);
  }
}
