/** The back-off of specification/realtime.md §6: how long to wait after a number of failures in a row. */
import { RECONNECT_BACKOFF } from "../../wire/constants.ts";

interface DelayBounds {
  /** Milliseconds. */
  lower: number;
  upper: number;
}

export function delayBounds(failures: number): DelayBounds {
  const { low, high, step, most } = RECONNECT_BACKOFF;
  return {
    lower: Math.min(Math.max(low, (failures - 1) * step), most),
    upper: Math.min(high + step * failures, most),
  };
}

/** Whole milliseconds, uniform between the bounds; 0 ≤ `random` < 1. */
export function delay(failures: number, random: number): number {
  const { lower, upper } = delayBounds(failures);
  return Math.floor(lower + random * (upper - lower));
}
