/** Watches an open connection: pings, notices silence, and checks at once when something looks wrong (specification/realtime.md §3). */
import { DEATH_MARGIN, PING_INTERVAL, SUSPICION_DEADLINE } from "../../wire/constants.ts";
import type { Clock, Timer } from "../base/ports.ts";

/** Milliseconds between two looks at the clocks, the network interfaces and the deadlines. */
const LOOK_INTERVAL = 5000;
/** A look this much too late, or a wall clock this much ahead of the monotonic one, means the machine slept. */
const SLEEP_SIGN = 5000;

interface HeartbeatHandlers {
  /** Sends something the provider answers. */
  ping(): void;
  /** Nothing came in time: the link is dead. */
  dead(reason: string): void;
  /** Called with each look, at least every LOOK_INTERVAL. */
  look?(): void;
}

export class Heartbeat {
  readonly #clock: Clock;
  readonly #handlers: HeartbeatHandlers;
  readonly #periodic: boolean;
  /** Monotonic moments: the last sign of life, the next ping, the last look, the ping that is not answered yet. */
  #last: number;
  #nextPing: number;
  #looked: number;
  #pinged: number | undefined;
  /** Until then something must come. */
  #deadline: number | undefined;
  /** Wall clock of the last look. */
  #wall: number;
  #timer: Timer | undefined;
  #stopped = false;

  /** `periodic` false: the transport shows life by itself (long polling), only suspicion pings. */
  constructor(clock: Clock, handlers: HeartbeatHandlers, periodic = true) {
    this.#clock = clock;
    this.#handlers = handlers;
    this.#periodic = periodic;
    this.#last = this.#looked = clock.monotonic();
    this.#nextPing = this.#last + PING_INTERVAL;
    this.#wall = clock.now();
    this.#arm();
  }

  /** Any frame is a sign of life; cheap enough for every frame. */
  alive(): void {
    this.#last = this.#clock.monotonic();
    this.#deadline = undefined;
  }

  /** The answer of a ping came: milliseconds of the round trip, undefined when none was awaited. */
  answered(): number | undefined {
    if (this.#pinged === undefined) return undefined;
    const took = this.#clock.monotonic() - this.#pinged;
    this.#pinged = undefined;
    return took;
  }

  /** A call failed or the machine woke: ping now, dead without a frame in SUSPICION_DEADLINE. */
  verifyLink(): void {
    if (this.#stopped || this.#deadline !== undefined) return;
    const at = this.#clock.monotonic();
    this.#deadline = at + SUSPICION_DEADLINE;
    this.#pinged = undefined;
    this.#ping(at);
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#clock.clearTimeout(this.#timer);
  }

  #ping(at: number): void {
    this.#pinged ??= at;
    this.#nextPing = at + PING_INTERVAL;
    this.#handlers.ping();
  }

  #arm(): void {
    this.#clock.clearTimeout(this.#timer);
    if (this.#stopped) return;
    const due = [this.#looked + LOOK_INTERVAL];
    if (this.#periodic) due.push(this.#nextPing, this.#silentAt());
    if (this.#deadline !== undefined) due.push(this.#deadline);
    this.#timer = this.#clock.setTimeout(
      () => this.#look(),
      Math.max(0, Math.min(...due) - this.#clock.monotonic()),
    );
  }

  /** When nothing was heard for too long. */
  #silentAt(): number {
    return this.#last + PING_INTERVAL + DEATH_MARGIN;
  }

  #look(): void {
    const at = this.#clock.monotonic();
    // Late timers may hide frames that wait to be read, so a sleeper is asked before it is declared dead.
    if (this.#hasSlept(at)) {
      this.#deadline = undefined;
      this.#last = Math.max(this.#last, at - PING_INTERVAL);
      this.verifyLink();
    } else if (this.#deadline !== undefined && at >= this.#deadline)
      return this.#die("the provider did not answer a ping");
    else if (this.#periodic && at >= this.#silentAt())
      return this.#die("nothing was heard from the provider");
    else if (this.#periodic && at >= this.#nextPing) this.#ping(at);
    this.#handlers.look?.();
    this.#arm();
  }

  /** A look that comes too late, or a wall clock that is ahead. */
  #hasSlept(at: number): boolean {
    const passed = at - this.#looked;
    const wallPassed = this.#clock.now() - this.#wall;
    this.#looked = at;
    this.#wall += wallPassed;
    return passed > LOOK_INTERVAL + SLEEP_SIGN || wallPassed - passed > SLEEP_SIGN;
  }

  #die(reason: string): void {
    this.#stopped = true;
    this.#handlers.dead(reason);
  }
}
