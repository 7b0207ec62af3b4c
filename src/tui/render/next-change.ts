/** Computes when a message next changes its appearance by time alone: countdowns, and pins that expire. */
import type { HeldMessage } from "../../model/state.ts";
import { timeToMs } from "../../wire/time.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The next time at which `ceil((end − now) / step)` changes. */
function nextStep(end: number, now: number, step: number): number {
  const left = end - now;
  if (!(left > 0)) return Infinity;
  return end - (Math.ceil(left / step) - 1) * step;
}

const endOf = (text: string | null | undefined): number => (text ? timeToMs(text) : Number.NaN);

/** Milliseconds since the epoch; Infinity if nothing expires. */
export function nextChange(
  { shared_location, reminder, pinned, pin_expires }: HeldMessage,
  now: number,
): number {
  const remind = endOf(reminder?.remind_at);
  const pin = pinned ? endOf(pin_expires) : Number.NaN;
  return Math.min(
    nextStep(endOf(shared_location?.end_at), now, MINUTE),
    nextStep(remind, now, remind - now <= HOUR ? MINUTE : HOUR),
    pin > now ? pin : Infinity,
  );
}
