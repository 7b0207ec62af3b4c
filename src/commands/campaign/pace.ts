/** How fast a campaign goes, how long it will take, and whether it has stalled. */

/** Half of the rate is what happened in so many milliseconds. */
const HALF = 5000;

/** Without any change for so long it stands still; milliseconds. */
const STALLED = 30_000;

export interface Pace {
  /** Messages a second; undefined before two looks. */
  rate?: number;
  /** Seconds that are left at that rate. */
  eta?: number;
  stalled: boolean;
}

/** Told what was sent at which moment, look after look. */
export class PaceMeter {
  #last: { at: number; sent: number } | undefined;
  #moved = 0;
  #rate: number | undefined;

  /** `progress` from 0 to 1; `at` in milliseconds. */
  look(at: number, sent: number, progress: number): Pace {
    if (this.#last === undefined) this.#moved = at;
    else {
      const passed = at - this.#last.at;
      const now = passed > 0 ? ((sent - this.#last.sent) / passed) * 1000 : 0;
      const weight = 1 - 0.5 ** (passed / HALF);
      if (sent !== this.#last.sent) this.#moved = at;
      this.#rate = this.#rate === undefined ? now : this.#rate + weight * (now - this.#rate);
    }
    this.#last = { at, sent };
    const left = progress > 0 ? sent / progress - sent : 0;
    const rate = this.#rate;
    return {
      ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }),
      ...(rate === undefined || rate <= 0 || progress <= 0 ? {} : { eta: Math.ceil(left / rate) }),
      stalled: at - this.#moved >= STALLED,
    };
  }
}
