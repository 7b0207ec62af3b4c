/** How long a test waits for an event: enough for a busy machine, and longer the busier it is, since speed is checked in tests/bench. */
import { availableParallelism, loadavg } from "node:os";

/** How many tasks share a core at the start of the process, 1 to 4: what is waited for takes that much longer. */
const BUSY = Math.min(4, Math.max(1, loadavg()[0]! / availableParallelism()));

/** A time limit on a quiet machine, as long as this one needs. Milliseconds. */
export const patient = (ms: number): number => Math.round(ms * BUSY);

/** Milliseconds. */
export const PATIENCE = patient(30_000);

/** Milliseconds a test may take: longer than its longest wait, also where the machine got busy after the start, so that the wait says what it missed. */
export const TEST_PATIENCE = 4 * 90_000;
