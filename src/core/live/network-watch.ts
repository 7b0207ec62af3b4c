/** Notices that the machine loses its network, or finds it again. */
import type { Clock, Timer } from "../base/ports.ts";

/** Milliseconds between two looks at the network interfaces while there is none. */
const POLL = 1000;

export class NetworkWatch {
  readonly #clock: Clock;
  readonly #online: () => boolean;
  #wasOnline = true;
  #timer: Timer | undefined;

  constructor(clock: Clock, online: () => boolean) {
    this.#clock = clock;
    this.#online = online;
  }

  /** How it is now is nothing new. */
  reset(): void {
    this.#wasOnline = this.#online();
  }

  /** What has changed since the last look. */
  look(): "lost" | "found" | undefined {
    const was = this.#wasOnline;
    this.reset();
    if (was === this.#wasOnline) return undefined;
    return was ? "lost" : "found";
  }

  /** Tells once when there is a network. */
  waitFor(found: () => void): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#online()) found();
      else this.waitFor(found);
    }, POLL);
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}
