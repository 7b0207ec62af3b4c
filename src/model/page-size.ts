/** How many items a page asks for: more after an answer, fewer after none in time (specification/wire.md §9). */
import { ApiError, TransportError } from "./errors.ts";

/** Each answer makes the next page larger by this factor, and each time-out smaller. */
const FACTOR = 3;

/** 504, or no answer in time. A connection that could not be made says nothing about the page. */
const wasTooMuch = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status === 504
    : error instanceof TransportError && error.kind === "timeout" && !error.neverSent;

/** The page size of a list, or of several with items of one kind. */
export class PageSize {
  readonly #most: number;
  #size: number;

  constructor(most: number, first = most) {
    this.#size = first;
    this.#most = most;
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
        this.#size = Math.min(Math.max(this.#size, limit * FACTOR), this.#most);
        return { answer, limit };
      } catch (error) {
        if (limit <= least || !wasTooMuch(error)) throw error;
        this.#size = Math.max(1, Math.floor(limit / FACTOR));
      }
    }
  }
}
