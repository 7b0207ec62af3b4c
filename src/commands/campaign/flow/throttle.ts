/** Limits the message rate: halved after a rate limit, then gradually raised again. */

/** Maximum gap between messages, in milliseconds. */
const MAX_GAP = 10_000;

export class Throttle {
  readonly #minGap: number;
  #gap: number;
  #next = 0;

  /** `rate`: messages per second. */
  constructor(rate: number) {
    this.#minGap = 1000 / rate;
    this.#gap = this.#minGap;
  }

  /** Reserves the next slot and returns the milliseconds to wait for it. */
  reserve(now: number): number {
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    return at - now;
  }

  /** Pauses for `wait` milliseconds and halves the rate. */
  slowDown(now: number, wait: number): void {
    this.#next = Math.max(this.#next, now + wait);
    this.#gap = Math.min(this.#gap * 2, MAX_GAP);
  }

  /** Call after a success: raises the rate again. */
  speedUp(): void {
    this.#gap = Math.max(this.#minGap, this.#gap * 0.9);
  }
}
