/** The clock of the machine. */
import { networkInterfaces } from "node:os";
import type { Clock, Timer } from "../base/ports.ts";

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (run, ms): Timer => ({ id: setTimeout(run, Math.min(ms, 0x7fffffff)) }),
    clearTimeout: (timer) => {
      if (timer) clearTimeout(timer.id as NodeJS.Timeout);
    },
  };
}

/** A machine is offline when all of its network interfaces are internal (specification/realtime.md §6). */
export function systemOnline(): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((address) => !address.internal));
}
