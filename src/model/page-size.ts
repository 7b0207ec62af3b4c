/** How many items a page asks for: more after an answer, fewer after none in time (specification/wire.md §9). */
import { ApiError, TransportError } from "./errors.ts";

/** Each answer makes the next page larger by this factor, and each time-out smaller. */
const FACTOR = 3;

/** Answers after which pages may be twice as large as since the last time-out: a larger page costs a long wait where the line is as slow as before. */
const ANSWERS_BEFORE_MORE = 10;

/** 504, or no answer in time. A connection that could not be made says nothing about the page. */
const wasTooMuch = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status === 504
    : error instanceof TransportError && error.kind === "timeout" && !error.neverSent;

/** The page size of a list, or of several with items of one kind. */
export class PageSize {
  readonly #most: number;
  #size: number;
  /** Half of the last page that was too much, and more after enough answers. */
  #ceiling: number;
  #answers = 0;

  constructor(most: number, first = most) {
    this.#size = first;
    this.#most = most;
    this.#ceiling = most;
  }

  /**
   * Requests a page of at most `needed` items, smaller and smaller while no answer comes in time. `limit`: how many were
   * asked for at last. Throws when a page of `least` items is too much as well.
   */
  async ask<T>(
    request: (limit: number) => Promise<T>,
    { needed = Infinity, least = 1 } = {},
  ): Promise<{ answer: T; limit: number }> {
    for (;;) {
      const limit = Math.max(least, Math.min(this.#size, needed));
      try {
        const answer = await request(limit);
        this.#grow(limit);
        return { answer, limit };
      } catch (error) {
        if (limit <= least || !wasTooMuch(error)) throw error;
        this.#size = Math.max(1, Math.floor(limit / FACTOR));
        this.#ceiling = Math.max(1, Math.floor(limit / 2));
        this.#answers = 0;
      }
    }
  }

  #grow(limit: number): void {
    this.#answers += 1;
    if (this.#answers % ANSWERS_BEFORE_MORE === 0) this.#ceiling = Math.min(this.#ceiling * 2, this.#most);
    this.#size = Math.min(Math.max(this.#size, limit * FACTOR), this.#ceiling);
  }
}
