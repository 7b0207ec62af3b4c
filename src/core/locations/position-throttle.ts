/** Throttles moves of live locations: the first is sent at once, then the latest at the end of each window (specification/locations.md LU-6). */
import { LOCATION_UPDATE_THROTTLE } from "../../wire/constants.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Clock, Timer } from "../base/ports.ts";
import type { Position } from "../../model/locations.ts";

/** A new position, and when the sharing ends if that changes too. */
export interface LocationChange extends Position {
  /** RFC 3339. */
  end_at?: string;
}

/** The location after a move; undefined when there was nothing to send. */
type Moved = Promise<SharedLocation | undefined>;

interface Waiting extends Pick<PromiseWithResolvers<SharedLocation | undefined>, "promise" | "resolve"> {
  change: LocationChange;
}

export class PositionThrottle {
  readonly #clock: Clock;
  readonly #send: (id: string, change: LocationChange) => Moved;
  /** Message id → its running window and the move to send at its end. */
  readonly #windows = new Map<string, { timer: Timer; next?: Waiting }>();

  /** `send` may skip a move; when it sends one it must call `startWindow`. */
  constructor(clock: Clock, send: (id: string, change: LocationChange) => Moved) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Resolves once this move, or a later one that replaced it, was sent. Rejects like `send`. */
  move(id: string, change: LocationChange): Moved {
    const running = this.#windows.get(id);
    if (!running) return this.#send(id, change);
    const { next } = running;
    if (next) next.change = { ...next.change, ...change };
    else running.next = { ...Promise.withResolvers<SharedLocation | undefined>(), change };
    return running.next!.promise;
  }

  startWindow(id: string): void {
    const timer = this.#clock.setTimeout(() => {
      const next = this.#windows.get(id)?.next;
      this.#windows.delete(id);
      next?.resolve(this.#send(id, next.change));
    }, LOCATION_UPDATE_THROTTLE);
    this.#windows.set(id, { timer });
  }

  drop(id: string): void {
    const running = this.#windows.get(id);
    this.#clock.clearTimeout(running?.timer);
    this.#windows.delete(id);
    running?.next?.resolve(undefined);
  }
}
