/** Measures the rate of a campaign, its remaining time, and whether it has stalled. */

/** Half-life of the moving average of the rate, in milliseconds. */
const HALF_LIFE = 5000;

/** Milliseconds without progress after which it counts as stalled. */
const STALLED_AFTER = 30_000;

export interface Pace {
  /** Messages per second; undefined before the second sample. */
  rate?: number;
  /** Remaining seconds at that rate. */
  eta?: number;
  stalled: boolean;
}

/** Computes the pace from samples. */
export class PaceMeter {
  #last: { at: number; sent: number } | undefined;
  #lastChange = 0;
  #rate: number | undefined;

  /** Adds a sample; `at` in milliseconds, `progress` from 0 to 1. */
  sample(at: number, sent: number, progress: number): Pace {
    if (this.#last === undefined) this.#lastChange = at;
    else {
      const elapsed = at - this.#last.at;
      const currentRate = elapsed > 0 ? ((sent - this.#last.sent) / elapsed) * 1000 : 0;
      const weight = 1 - 0.5 ** (elapsed / HALF_LIFE);
      if (sent !== this.#last.sent) this.#lastChange = at;
      this.#rate = this.#rate === undefined ? currentRate : this.#rate + weight * (currentRate - this.#rate);
    }
    this.#last = { at, sent };
    const remaining = progress > 0 ? sent / progress - sent : 0;
    const rate = this.#rate;
    return {
      ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }),
      ...(rate === undefined || rate <= 0 || progress <= 0 ? {} : { eta: Math.ceil(remaining / rate) }),
      stalled: at - this.#lastChange >= STALLED_AFTER,
    };
  }
}
