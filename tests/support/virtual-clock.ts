/** A clock that moves only on demand: timers run in order of time, promises settle between them. */
import type { Clock, Random, Timer } from "../../src/core/base/ports.ts";

interface Pending extends Timer {
  readonly id: number;
  at: number;
  run: () => void;
}

export class VirtualClock implements Clock {
  /** Wall clock time at the start, in milliseconds since the epoch. */
  #wall: number;
  #passed = 0;
  #next = 1;
  #pending = new Map<number, Pending>();

  constructor(start = Date.UTC(2026, 2, 4, 5, 6, 7)) {
    this.#wall = start;
  }
  now(): number {
    return this.#wall + this.#passed;
  }
  monotonic(): number {
    return this.#passed;
  }
  setTimeout(run: () => void, ms: number): Timer {
    const timer: Pending = { id: this.#next++, at: this.#passed + Math.max(0, ms), run };
    this.#pending.set(timer.id, timer);
    return timer;
  }
  clearTimeout(timer: Timer | undefined): void {
    if (timer) this.#pending.delete(timer.id as number);
  }

  /** Milliseconds from now until each pending timer, ascending. */
  get timers(): number[] {
    return [...this.#pending.values()].map((t) => t.at - this.#passed).toSorted((a, b) => a - b);
  }

  /** The machine slept: the wall clock moves, the monotonic clock and the timers do not. */
  sleep(ms: number): void {
    this.#wall += ms;
  }

  /** Runs everything that depends on settled promises; real input and output is not awaited. */
  async settle(): Promise<void> {
    for (let i = 0; i < 5; i++) await new Promise<void>((done) => setImmediate(done));
  }

  /** Advances by `ms`, running each timer at its own time and settling promises after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#passed + ms;
    await this.settle();
    for (;;) {
      let first: Pending | undefined;
      for (const timer of this.#pending.values())
        if (
          timer.at <= end &&
          (!first || timer.at < first.at || (timer.at === first.at && timer.id < first.id))
        )
          first = timer;
      if (!first) break;
      this.#passed = Math.max(this.#passed, first.at);
      this.#pending.delete(first.id);
      first.run();
      await this.settle();
    }
    this.#passed = end;
    await this.settle();
  }
}

/** Fixed randomness: the given numbers in turn (0.5 when none are given), and uuids that count up. */
export function fixedRandom(...floats: number[]): Random {
  let at = 0;
  let count = 0;
  return {
    float: () => (floats.length ? floats[at++ % floats.length]! : 0.5),
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
  };
}
