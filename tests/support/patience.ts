/** How long a test waits for an event: enough for a busy machine, and longer the busier it is, since speed is checked in tests/bench. */
import { availableParallelism, loadavg } from "node:os";

/** How many tasks share a core at the start of the process, 1 to 4: what is waited for takes that much longer. */
const BUSY = Math.min(4, Math.max(1, loadavg()[0]! / availableParallelism()));

/** A time limit on a quiet machine, as long as this one needs. Milliseconds. */
export const patient = (ms: number): number => Math.round(ms * BUSY);

/** Milliseconds. */
export const PATIENCE = patient(30_000);
