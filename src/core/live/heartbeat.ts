/** Watches over an open link: pings, notices silence, and asks at once when something looks wrong (specification/realtime.md §3). */
import { DEATH_MARGIN, PING_INTERVAL, SUSPICION_DEADLINE } from "../../wire/constants.ts";
import type { Clock, Timer } from "../base/ports.ts";

/** Milliseconds between two looks at the clocks, the network interfaces and the deadlines. */
const LOOK_INTERVAL = 5000;
/** A look this much too late, or a wall clock this much ahead of the monotonic one, means the machine slept. */
const SLEEP_SIGN = 5000;

export interface HeartbeatHandlers {
  /** Sends something the provider answers. */
  ping(): void;
  /** Nothing came in time: the link is dead. */
  dead(reason: string): void;
  /** Called with each look, at least every LOOK_INTERVAL. */
  look?(): void;
}

export interface Heartbeat {
  /** Any frame is a sign of life; cheap enough for every frame. */
  alive(): void;
  /** The answer of a ping came: milliseconds of the round trip, undefined when none was awaited. */
  answered(): number | undefined;
  /** A call failed or the machine woke: ping now, dead without a frame in SUSPICION_DEADLINE. */
  verifyLink(): void;
  stop(): void;
}

/** `periodic` false: the transport shows life by itself (long polling), only suspicion pings. */
export function startHeartbeat(clock: Clock, handlers: HeartbeatHandlers, periodic = true): Heartbeat {
  let last = clock.monotonic();
  let nextPing = last + PING_INTERVAL;
  let pinged: number | undefined;
  let deadline: number | undefined;
  let looked = last;
  let wall = clock.now();
  let timer: Timer | undefined;
  let stopped = false;

  const ping = (at: number): void => {
    pinged ??= at;
    nextPing = at + PING_INTERVAL;
    handlers.ping();
  };
  const suspect = (): void => {
    if (stopped || deadline !== undefined) return;
    const at = clock.monotonic();
    deadline = at + SUSPICION_DEADLINE;
    pinged = undefined;
    ping(at);
    arm();
  };
  const arm = (): void => {
    clock.clearTimeout(timer);
    if (stopped) return;
    const due = [looked + LOOK_INTERVAL];
    if (periodic) due.push(nextPing, last + PING_INTERVAL + DEATH_MARGIN);
    if (deadline !== undefined) due.push(deadline);
    timer = clock.setTimeout(look, Math.max(0, Math.min(...due) - clock.monotonic()));
  };
  const look = (): void => {
    const at = clock.monotonic();
    const passed = at - looked;
    const wallPassed = clock.now() - wall;
    looked = at;
    wall += wallPassed;
    // Late timers may hide frames that wait to be read, so a sleeper is asked before it is declared dead.
    if (passed > LOOK_INTERVAL + SLEEP_SIGN || wallPassed - passed > SLEEP_SIGN) {
      deadline = undefined;
      last = Math.max(last, at - PING_INTERVAL);
      suspect();
    } else if (deadline !== undefined && at >= deadline) {
      stopped = true;
      return handlers.dead("the provider did not answer a ping");
    } else if (periodic && at - last >= PING_INTERVAL + DEATH_MARGIN) {
      stopped = true;
      return handlers.dead("nothing was heard from the provider");
    } else if (periodic && at >= nextPing) ping(at);
    handlers.look?.();
    arm();
  };
  arm();
  return {
    alive() {
      last = clock.monotonic();
      deadline = undefined;
    },
    answered() {
      if (pinged === undefined) return undefined;
      const took = clock.monotonic() - pinged;
      pinged = undefined;
      return took;
    },
    verifyLink: suspect,
    stop() {
      stopped = true;
      clock.clearTimeout(timer);
    },
  };
}
