/** The active live locations of the current user: newer versions replace older ones, ended ones stay ended (specification/locations.md §7). */
import type { SharedLocation } from "../../wire/entities/location.ts";
import { compareTimes } from "../../wire/time.ts";
import { isLive } from "../../model/locations.ts";

/** A live location with the id of its message and an end. */
export type LiveLocation = SharedLocation & { message_id: string; end_at: string };

/** `now`: provider time, milliseconds. */
export const isTrackable = (location: SharedLocation | undefined, now: number): location is LiveLocation =>
  typeof location?.message_id === "string" && isLive(location, now);

export class ActiveLocations {
  readonly #active = new Map<string, LiveLocation>();
  /** Message id → when its location was ended, so that an older version arriving late does not revive it. */
  readonly #ended = new Map<string, string>();
  readonly #onRemoved: (id: string) => void;

  constructor(onRemoved: (id: string) => void) {
    this.#onRemoved = onRemoved;
  }

  get(id: string): LiveLocation | undefined {
    return this.#active.get(id);
  }
  all(): LiveLocation[] {
    return [...this.#active.values()];
  }

  add(location: LiveLocation): void {
    const { message_id: id, updated_at } = location;
    const ended = this.#ended.get(id);
    // `<=`: the event of a stop has the time of its answer, and its end may look future after a clock correction.
    if (ended !== undefined && compareTimes(updated_at, ended) <= 0) return;
    const known = this.#active.get(id)?.updated_at;
    if (known === undefined || compareTimes(updated_at, known) >= 0) this.#active.set(id, location);
  }

  remove(id: string): void {
    if (this.#active.delete(id)) this.#onRemoved(id);
  }

  /** Ended according to the provider, at the time of its answer. */
  end(id: string, at: string | undefined): void {
    if (at !== undefined) this.#ended.set(id, at);
    this.remove(id);
  }

  removeWhere(over: (location: LiveLocation) => boolean): void {
    for (const location of this.all()) if (over(location)) this.remove(location.message_id);
  }

  reset(): void {
    this.#ended.clear();
    this.removeWhere(() => true);
  }
}
