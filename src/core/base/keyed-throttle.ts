/** A throttle with a window for each key: the first call runs at once, and one of those that came in the window at its end. */
import type { Clock, Timer } from "./ports.ts";

export class KeyedThrottle {
  readonly #clock: Clock;
  /** Milliseconds. */
  readonly #window: number;
  /** Key → its window; `again` when a further call is due at the end. */
  readonly #running = new Map<string, { timer: Timer; again: boolean }>();

  constructor(clock: Clock, window: number) {
    this.#clock = clock;
    this.#window = window;
  }

  /** Whether a call of this key has run within the last window. */
  isRecent(key: string): boolean {
    return this.#running.has(key);
  }

  run(key: string, act: () => void): void {
    const running = this.#running.get(key);
    if (running) {
      running.again = true;
      return;
    }
    const timer = this.#clock.setTimeout(() => {
      const again = this.#running.get(key)?.again;
      this.#running.delete(key);
      if (again) this.run(key, act);
    }, this.#window);
    this.#running.set(key, { timer, again: false });
    act();
  }

  /** What is due at the end of the window is called off; the window stays. */
  callOff(key: string): void {
    const running = this.#running.get(key);
    if (running) running.again = false;
  }

  clear(): void {
    for (const { timer } of this.#running.values()) this.#clock.clearTimeout(timer);
    this.#running.clear();
  }
}
