/** A debounced request: runs after a pause in typing, and only the newest one may use its answer (R-CMD-4, R-SEARCH-2, R-SEARCH-3). */
import type { Clock, Timer } from "./ports.ts";

export interface DebouncedRequest {
  /**
   * Runs after `wait` milliseconds unless a newer request replaces it. `run` gets a signal that aborts when it is replaced,
   * and `isCurrent` to check before it uses an answer.
   */
  schedule(wait: number, run: (signal: AbortSignal, isCurrent: () => boolean) => void): void;
  /** Cancels the waiting or running request. */
  cancel(): void;
}

export function createDebouncedRequest(clock: Clock): DebouncedRequest {
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
    schedule(wait, run) {
      cancel();
      const request = new AbortController();
      abort = request;
      const start = (): void => {
        timer = undefined;
        run(request.signal, () => abort === request);
      };
      if (wait > 0) timer = clock.setTimeout(start, wait);
      else start();
    },
  };
}
