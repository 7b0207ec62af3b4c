/** The system clock, run faster: waits of minutes fit into a test over real sockets, and keep their proportions. */
import { createGotRequest } from "../../src/core/adapters/got-request.ts";
import type { Clock, RequestPort } from "../../src/core/ports.ts";

export function createFastClock(factor: number): Clock {
  const wall = Date.now();
  const start = performance.now();
  const passed = (): number => (performance.now() - start) * factor;
  return {
    now: () => wall + passed(),
    monotonic: passed,
    setTimeout: (run, ms) => ({ id: setTimeout(run, ms / factor) }),
    clearTimeout: (timer) => clearTimeout(timer?.id as NodeJS.Timeout | undefined),
  };
}

/** The real request port with its timeouts on the fast clock. */
export function createFastRequest(factor: number): RequestPort {
  const request = createGotRequest();
  return (call) => request({ ...call, timeout: call.timeout > 0 ? Math.ceil(call.timeout / factor) : 0 });
}
