/** The clock of one core, which cancels its timers when the core closes. */
import type { Clock, Timer } from "./ports.ts";

interface EndingClock extends Clock {
  /** Clears all timers, and sets none from now on. */
  end(): void;
}

/** What fails only at the end is given a timer for another try; that timer must not hold the program. */
export function createEndingClock(clock: Clock): EndingClock {
  const waiting = new Set<Timer>();
  let over = false;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout(run, ms) {
      if (over) return { id: undefined };
      const timer = clock.setTimeout(() => {
        waiting.delete(timer);
        run();
      }, ms);
      waiting.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      if (timer) waiting.delete(timer);
      clock.clearTimeout(timer);
    },
    end() {
      over = true;
      for (const timer of waiting) clock.clearTimeout(timer);
      waiting.clear();
    },
  };
}
