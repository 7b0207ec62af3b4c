/** Detects that the machine loses or regains its network. */
import type { Clock, Timer } from "../base/ports.ts";

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
