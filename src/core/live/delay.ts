/** The back-off of realtime.md §6: how long to wait after `n` failures in a row. */

export interface DelayBounds {
  /** Milliseconds. */
  lower: number;
  upper: number;
}

export function delayBounds(failures: number): DelayBounds {
  return {
    lower: Math.min(Math.max(250, (failures - 1) * 2000), 25_000),
    upper: Math.min(500 + 2000 * failures, 25_000),
  };
}

/** Whole milliseconds, uniform between the bounds; `chance` is 0 ≤ r < 1. */
export function delay(failures: number, chance: number): number {
  const { lower, upper } = delayBounds(failures);
  return Math.floor(lower + chance * (upper - lower));
}
