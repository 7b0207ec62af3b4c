/** Limits the message rate: halved after a rate limit, then gradually raised again. */

/** Maximum gap between messages, in milliseconds. */
const SLOWEST = 10_000;

export class Throttle {
  readonly #usual: number;
  #gap: number;
  #next = 0;

  /** `rate`: messages per second. */
  constructor(rate: number) {
    this.#usual = 1000 / rate;
    this.#gap = this.#usual;
  }

  /** Reserves the next slot and returns the milliseconds to wait for it. */
  turn(now: number): number {
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    return at - now;
  }

  /** Pauses for `wait` milliseconds and halves the rate. */
  refused(now: number, wait: number): void {
    this.#next = Math.max(this.#next, now + wait);
    this.#gap = Math.min(this.#gap * 2, SLOWEST);
  }

  /** Call after a success: raises the rate again. */
  went(): void {
    this.#gap = Math.max(this.#usual, this.#gap * 0.9);
  }
}
