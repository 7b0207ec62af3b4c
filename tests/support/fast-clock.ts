/** A clock that runs faster than the system's: waits of minutes fit into a test over real sockets and keep their proportions. */
import { createGotRequest } from "../../src/core/adapters/got-request.ts";
import { PortFailure, type Clock, type RequestPort } from "../../src/core/base/ports.ts";

/** Milliseconds between two readings of the real clock. */
const TICK = 2;
/** At most this many milliseconds count between two readings, so that timers do not run ahead on a busy machine. */
const LATE = 10;

interface Waiting {
  due: number;
  run(): void;
}

export function createFastClock(factor: number): Clock {
  const wall = Date.now();
  let passed = 0;
  let looked = performance.now();
  let ticking: NodeJS.Timeout | undefined;
  const waiting = new Set<Waiting>();

  const look = (): number => {
    const now = performance.now();
    passed += Math.min(now - looked, LATE) * factor;
    looked = now;
    return passed;
  };
  const tick = (): void => {
    const now = look();
    const due = [...waiting].filter((one) => one.due <= now).toSorted((a, b) => a.due - b.due);
    for (const one of due) if (waiting.delete(one)) one.run();
    ticking = waiting.size > 0 ? setTimeout(tick, TICK) : undefined;
  };
  return {
    now: () => wall + look(),
    monotonic: look,
    setTimeout(run, ms) {
      const one = { due: look() + ms, run };
      waiting.add(one);
      ticking ??= setTimeout(tick, TICK);
      return { id: one };
    },
    clearTimeout: (timer) => void waiting.delete(timer?.id as Waiting),
  };
}

/** The real request port, with timeouts on a fast clock. */
export function createFastRequest(clock: Clock): RequestPort {
  const request = createGotRequest();
  return (call) =>
    new Promise((resolve, reject) => {
      const stop = new AbortController();
      const end = (): void => {
        reject(new PortFailure("timeout", "no answer in time"));
        stop.abort();
      };
      const timer = call.timeout > 0 ? clock.setTimeout(end, call.timeout) : undefined;
      const signal = call.signal ? AbortSignal.any([call.signal, stop.signal]) : stop.signal;
      request({ ...call, timeout: 0, signal })
        .then(resolve, reject)
        .finally(() => clock.clearTimeout(timer));
    });
}
