/** Throttles position updates of live locations: the first is sent at once, then the latest at the end of each window (specification/locations.md LU-6). */
import { LOCATION_UPDATE_THROTTLE } from "../../wire/constants.ts";
import type { Clock, Timer } from "../base/ports.ts";
import type { Position } from "../../model/locations.ts";

export class PositionThrottle {
  readonly #clock: Clock;
  readonly #send: (id: string, position: Position) => void;
  /** Message id → its running window and the position to send at its end. */
  readonly #windows = new Map<string, { timer: Timer; next?: Position }>();

  /** `send` may skip a position; when it sends one it must call `startWindow`. */
  constructor(clock: Clock, send: (id: string, position: Position) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  move(id: string, position: Position): void {
    const running = this.#windows.get(id);
    if (running) running.next = position;
    else this.#send(id, position);
  }

  startWindow(id: string): void {
    const timer = this.#clock.setTimeout(() => {
      const next = this.#windows.get(id)?.next;
      this.#windows.delete(id);
      if (next) this.#send(id, next);
    }, LOCATION_UPDATE_THROTTLE);
    this.#windows.set(id, { timer });
  }

  drop(id: string): void {
    this.#clock.clearTimeout(this.#windows.get(id)?.timer);
    this.#windows.delete(id);
  }
}
