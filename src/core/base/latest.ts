/** A debounced search: asks after a rest in typing, and only the newest request may answer (R-CMD-4, R-SEARCH-2, R-SEARCH-3). */
import type { Clock, Timer } from "./ports.ts";

export interface Latest {
  /**
   * Runs after `wait` milliseconds unless something newer is asked; `run` gets a signal that ends with it and
   * `current` to be asked before an answer is taken.
   */
  ask(wait: number, run: (signal: AbortSignal, current: () => boolean) => void): void;
  /** What waits or runs is void. */
  cancel(): void;
}

export function createLatest(clock: Clock): Latest {
  let timer: Timer | undefined;
  let abort: AbortController | undefined;
  const cancel = (): void => {
    clock.clearTimeout(timer);
    timer = undefined;
    abort?.abort();
    abort = undefined;
  };
  return {
    cancel,
    ask(wait, run) {
      cancel();
      const mine = new AbortController();
      abort = mine;
      const start = (): void => {
        timer = undefined;
        run(mine.signal, () => abort === mine);
      };
      if (wait > 0) timer = clock.setTimeout(start, wait);
      else start();
    },
  };
}
