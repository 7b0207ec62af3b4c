/** A clock that cancels all its timers when its core closes. */
import type { Clock, Timer } from "./ports.ts";

interface ClosableClock extends Clock {
  /** Clears all timers; new ones are never set. */
  close(): void;
}

/** A call that fails during closing would set a retry timer, which must not keep the program running. */
export function createClosableClock(clock: Clock): ClosableClock {
  const waiting = new Set<Timer>();
  let closed = false;
  return {
    now: clock.now.bind(clock),
    monotonic: clock.monotonic.bind(clock),
    setTimeout(run, ms) {
      if (closed) return { id: undefined };
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
    close() {
      closed = true;
      for (const timer of waiting) clock.clearTimeout(timer);
      waiting.clear();
    },
  };
}
