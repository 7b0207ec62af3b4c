/** A cancellable pause on the clock port. */
import type { Clock, Timer } from "./ports.ts";

/** Resolves after `ms` milliseconds, or at once when the signal aborts: the caller checks the signal. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer: Timer = clock.setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clock.clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
