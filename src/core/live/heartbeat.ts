/** Checks that the connection and the machine's network are alive (specification/realtime.md §8). */
import type { Clock, Timer } from "../base/ports.ts";
import { DEATH_MARGIN, PING_INTERVAL, SUSPICION_DEADLINE } from "../../wire/constants.ts";

/** Milliseconds between two checks while there is no network. */
const POLL_INTERVAL = 1000;

export class NetworkWatch {
  readonly #clock: Clock;
  readonly #online: () => boolean;
  #wasOnline = true;
  #timer: Timer | undefined;

  constructor(clock: Clock, online: () => boolean) {
    this.#clock = clock;
    this.#online = online;
  }

  /** Takes the current state as known. */
  reset(): void {
    this.#wasOnline = this.#online();
  }

  /** The change since the last check. */
  check(): "lost" | "found" | undefined {
    const was = this.#wasOnline;
    this.reset();
    if (was === this.#wasOnline) return undefined;
    return was ? "lost" : "found";
  }

  /** Calls `found` once when there is a network. */
  waitFor(found: () => void): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#online()) found();
      else this.waitFor(found);
    }, POLL_INTERVAL);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}

/** Milliseconds between two checks of the clocks, the network interfaces and the deadlines. */
const CHECK_INTERVAL_MS = 5000;
/** A check this late, or a wall clock this far ahead of the monotonic one, means that the machine slept; milliseconds. */
const SLEEP_THRESHOLD = 5000;

interface HeartbeatHandlers {
  ping(): void;
  /** Nothing arrived in time: the connection is dead. */
  dead(reason: string): void;
  /** Called at each check, at least every CHECK_INTERVAL_MS. */
  checked?(): void;
}

export class Heartbeat {
  readonly #clock: Clock;
  readonly #handlers: HeartbeatHandlers;
  readonly #periodic: boolean;
  /** Monotonic times: last frame, next ping, last check, unanswered ping. */
  #lastFrame: number;
  #nextPing: number;
  #lastCheck: number;
  #pingSentAt: number | undefined;
  /** A frame must arrive until then. */
  #deadline: number | undefined;
  /** Wall clock of the last check. */
  #lastCheckWall: number;
  #timer: Timer | undefined;
  #stopped = false;

  /** `periodic` false: for long polling, which needs no regular pings. */
  constructor(clock: Clock, handlers: HeartbeatHandlers, periodic = true) {
    this.#clock = clock;
    this.#handlers = handlers;
    this.#periodic = periodic;
    this.#lastFrame = this.#lastCheck = clock.monotonic();
    this.#nextPing = this.#lastFrame + PING_INTERVAL;
    this.#lastCheckWall = clock.now();
    this.#schedule();
  }

  alive(): void {
    this.#lastFrame = this.#clock.monotonic();
    this.#deadline = undefined;
  }

  /** A ping was answered: milliseconds of the round trip, undefined when no ping was pending. */
  answered(): number | undefined {
    if (this.#pingSentAt === undefined) return undefined;
    const took = this.#clock.monotonic() - this.#pingSentAt;
    this.#pingSentAt = undefined;
    return took;
  }

  /** A call failed or the machine woke: pings now; dead without a frame within SUSPICION_DEADLINE. */
  verifyLink(): void {
    if (this.#stopped || this.#deadline !== undefined) return;
    const at = this.#clock.monotonic();
    this.#deadline = at + SUSPICION_DEADLINE;
    this.#pingSentAt = undefined;
    this.#ping(at);
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#clock.clearTimeout(this.#timer);
  }

  #ping(at: number): void {
    this.#pingSentAt ??= at;
    this.#nextPing = at + PING_INTERVAL;
    this.#handlers.ping();
  }

  #schedule(): void {
    this.#clock.clearTimeout(this.#timer);
    if (this.#stopped) return;
    const due = [this.#lastCheck + CHECK_INTERVAL_MS];
    if (this.#periodic) due.push(this.#nextPing, this.#silentAt());
    if (this.#deadline !== undefined) due.push(this.#deadline);
    this.#timer = this.#clock.setTimeout(
      () => this.#check(),
      Math.max(0, Math.min(...due) - this.#clock.monotonic()),
    );
  }

  /** When the connection counts as dead without a frame. */
  #silentAt(): number {
    return this.#lastFrame + PING_INTERVAL + DEATH_MARGIN;
  }

  #check(): void {
    const at = this.#clock.monotonic();
    // After sleep, frames may be waiting to be read: ping before declaring the connection dead.
    if (this.#hasSlept(at)) {
      this.#deadline = undefined;
      this.#lastFrame = Math.max(this.#lastFrame, at - PING_INTERVAL);
      this.verifyLink();
    } else if (this.#deadline !== undefined && at >= this.#deadline)
      return this.#die("the provider did not answer a ping");
    else if (this.#periodic && at >= this.#silentAt())
      return this.#die("nothing was heard from the provider");
    else if (this.#periodic && at >= this.#nextPing) this.#ping(at);
    this.#handlers.checked?.();
    this.#schedule();
  }

  /** Detects a late check, or a wall clock that is ahead. */
  #hasSlept(at: number): boolean {
    const passed = at - this.#lastCheck;
    const wallPassed = this.#clock.now() - this.#lastCheckWall;
    this.#lastCheck = at;
    this.#lastCheckWall += wallPassed;
    return passed > CHECK_INTERVAL_MS + SLEEP_THRESHOLD || wallPassed - passed > SLEEP_THRESHOLD;
  }

  #die(reason: string): void {
    this.#stopped = true;
    this.#handlers.dead(reason);
  }
}
