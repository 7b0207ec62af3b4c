/** How long a test waits for what must come: long enough for a machine that does ten other things, since how fast it comes is a matter of tests/bench. */

/** Milliseconds. */
export const PATIENCE = 30_000;
