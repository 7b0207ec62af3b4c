/** Limits messages a second: slower after a rate limit, then gradually faster again. */

/** Never slower than one in so many milliseconds. */
const SLOWEST = 10_000;

export class Throttle {
  readonly #usual: number;
  #gap: number;
  #next = 0;

  /** `rate`: a second. */
  constructor(rate: number) {
    this.#usual = 1000 / rate;
    this.#gap = this.#usual;
  }

  /** Milliseconds that the next one waits from now. */
  turn(now: number): number {
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    return at - now;
  }

  /** Nobody sends for so long, and then half as fast. */
  refused(now: number, wait: number): void {
    this.#next = Math.max(this.#next, now + wait);
    this.#gap = Math.min(this.#gap * 2, SLOWEST);
  }

  /** One went through. */
  went(): void {
    this.#gap = Math.max(this.#usual, this.#gap * 0.9);
  }
}
