/** How long a test waits for an event: enough for a very busy machine, since speed is checked in tests/bench. */

/** Milliseconds. */
export const PATIENCE = 30_000;
