/** Spreads the calls of a long run over the minutes of a rate limit, so that the provider has none to refuse (specification/errors.md §5). */
import { RATE_MARGIN, type RateLimit } from "../../wire/rate-limits.ts";

/** The window of a rate limit, milliseconds. */
const MINUTE = 60_000;
/** A second has a thirtieth of a minute's calls; they take a little more than half of it, as answers differ in speed. */
const SPREAD = MINUTE * 0.6;

/** Calls that share a limit, as far as answers have told it. All times are the provider's, in milliseconds. */
interface Shared {
  /** When the newest calls were begun, as many as one user has in a minute: no answer tells that limit. */
  starts: number[];
  /** Calls that wait for their turn or for their answer. */
  running: number;
  /** Calls in a minute, those that are left of this one, and its end. */
  limit?: number;
  left: number;
  endsAt: number;
}

interface Turn {
  /** What shares the limit. */
  of: string;
  /** Calls that one user has in a minute; Infinity for a server. */
  perUser: number;
  now(): number;
  pause(ms: number): Promise<void>;
}

export class RatePace {
  readonly #shared = new Map<string, Shared>();
  /** The first call of each: the others wait for what its answer says. */
  readonly #firsts = new Map<string, Promise<void>>();

  /** Runs a call in its turn; `pause` waits for it. */
  async run<T>({ of, perUser, now, pause }: Turn, call: () => Promise<T>): Promise<T> {
    const first = this.#firsts.get(of);
    const done = Promise.withResolvers<void>();
    if (first) await first;
    else this.#firsts.set(of, done.promise);
    const shared = this.#sharedOf(of);
    shared.running += 1;
    try {
      const ms = takeTurn(shared, now(), perUser) - now();
      if (ms > 0) await pause(ms);
      return await call();
    } finally {
      shared.running -= 1;
      done.resolve();
    }
  }

  /** An answer says what is left; the other calls that still run are not counted in it. */
  note(of: string, { limit, remaining, reset }: RateLimit): void {
    if (reset === undefined) return;
    const shared = this.#sharedOf(of);
    const left = remaining - Math.max(0, shared.running - 1);
    Object.assign(shared, { limit: Math.max(1, limit), left, endsAt: reset * 1000 });
  }

  #sharedOf(of: string): Shared {
    const known = this.#shared.get(of);
    if (known) return known;
    const shared = { starts: [], running: 0, left: Infinity, endsAt: 0 };
    this.#shared.set(of, shared);
    return shared;
  }
}

/** When the next call may begin; counts it as begun. */
function takeTurn(shared: Shared, now: number, perUser: number): number {
  const { starts, limit = Infinity } = shared;
  const afterLast = (starts.at(-1) ?? 0) + SPREAD / limit;
  const afterOthers = starts.length >= perUser ? starts[0]! + MINUTE + RATE_MARGIN : 0;
  let at = Math.max(now, afterLast, afterOthers);
  if (shared.left <= 0 && at < shared.endsAt + RATE_MARGIN) at = shared.endsAt + RATE_MARGIN;
  if (at >= shared.endsAt) Object.assign(shared, { left: limit, endsAt: at + MINUTE });
  shared.left -= 1;
  starts.push(at);
  // A server has no limit of its own: only its last call counts.
  if (starts.length > (perUser === Infinity ? 1 : perUser)) starts.shift();
  return at;
}
