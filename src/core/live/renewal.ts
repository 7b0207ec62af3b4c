/** Asks for a newer token before the one of an open link ends, by the provider's clock. */
import type { Clock, Timer } from "../base/ports.ts";

/** At most so long before its end a token is renewed, milliseconds: more than a long poll is held. */
const AHEAD = 60_000;
/** A token that lives for less is renewed when a fifth of what is left remains. */
const SHARE = 5;
/** Between two tries at least, milliseconds. */
const PAUSE = 2000;
/** A wait is not longer than this: a machine that slept looks again. */
const LONGEST_WAIT = 3_600_000;

interface ExpiryDeps {
  clock: Clock;
  /** The provider's time, milliseconds. */
  now(): number;
  /** Gets a newer token and puts it to use; when that fails it is called again, later and later. */
  renew(): Promise<void>;
}

export interface Expiry {
  /** The link uses a token that ends then; undefined = nothing to renew. */
  watch(ends: number | undefined): void;
  /** The provider's clock is another than was thought. */
  moved(): void;
  stop(): void;
}

export function watchExpiry(deps: ExpiryDeps): Expiry {
  const { clock } = deps;
  let ends: number | undefined;
  /** By the provider's clock. */
  let due = 0;
  let timer: Timer | undefined;

  const arm = (): void => {
    clock.clearTimeout(timer);
    if (ends === undefined) return;
    timer = clock.setTimeout(look, Math.min(LONGEST_WAIT, Math.max(0, due - deps.now())));
  };
  const look = (): void => {
    if (ends === undefined) return;
    const left = ends - deps.now();
    if (due > deps.now()) return arm();
    // What has ended is the provider's to say: it closes the link, and the next attempt renews.
    if (left <= 0) return;
    due = deps.now() + Math.max(PAUSE, left / 2);
    arm();
    deps.renew().catch(() => undefined);
  };

  return {
    watch(end) {
      ends = end;
      if (end !== undefined) due = end - Math.min(AHEAD, Math.max(0, end - deps.now()) / SHARE);
      arm();
    },
    moved: arm,
    stop() {
      ends = undefined;
      clock.clearTimeout(timer);
    },
  };
}
