/** A throttle with a window for each key: the first call runs at once; calls within the window run as one at its end. */
import type { Clock, Timer } from "./ports.ts";

export class KeyedThrottle {
  readonly #clock: Clock;
  /** Milliseconds. */
  readonly #window: number;
  /** Key → its window; `again`: another call is due at the end. */
  readonly #windows = new Map<string, { timer: Timer; again: boolean }>();

  constructor(clock: Clock, window: number) {
    this.#clock = clock;
    this.#window = window;
  }

  /** Whether a call of this key has run within the last window. */
  isRecent(key: string): boolean {
    return this.#windows.has(key);
  }

  run(key: string, act: () => void): void {
    const running = this.#windows.get(key);
    if (running) {
      running.again = true;
      return;
    }
    const timer = this.#clock.setTimeout(() => {
      const again = this.#windows.get(key)?.again;
      this.#windows.delete(key);
      if (again) this.run(key, act);
    }, this.#window);
    this.#windows.set(key, { timer, again: false });
    act();
  }

  /** Cancels the call due at the end of the window; the window stays. */
  cancelPending(key: string): void {
    const running = this.#windows.get(key);
    if (running) running.again = false;
  }

  clear(): void {
    for (const { timer } of this.#windows.values()) this.#clock.clearTimeout(timer);
    this.#windows.clear();
  }
}
