/** Tracks which own live locations are active: newer versions replace older ones, and an ended one stays ended (specification/locations.md §7). */
import type { SharedLocation } from "../../wire/entities/location.ts";
import { compareTimes } from "../../wire/time.ts";
import { isLive } from "../../model/locations.ts";

/** A live location that is known by the message that carries it. */
export type LiveLocation = SharedLocation & { message_id: string; end_at: string };

/** `now`: provider time, milliseconds. */
export const isTrackable = (location: SharedLocation | undefined, now: number): location is LiveLocation =>
  typeof location?.message_id === "string" && isLive(location, now);

export class ActiveLocations {
  readonly #held = new Map<string, LiveLocation>();
  /** Message → when its location was ended: what is older and comes late brings nothing back. */
  readonly #ended = new Map<string, string>();
  /** Told of each that goes. */
  readonly #gone: (id: string) => void;

  constructor(gone: (id: string) => void) {
    this.#gone = gone;
  }

  get size(): number {
    return this.#held.size;
  }
  get(id: string): LiveLocation | undefined {
    return this.#held.get(id);
  }
  all(): LiveLocation[] {
    return [...this.#held.values()];
  }

  take(location: LiveLocation): void {
    const { message_id: id, updated_at } = location;
    const ended = this.#ended.get(id);
    // The event of a stop is as new as its answer, and its end may still be ahead on a clock that was corrected meanwhile.
    if (ended !== undefined && compareTimes(updated_at, ended) <= 0) return;
    const known = this.#held.get(id)?.updated_at;
    if (known === undefined || compareTimes(updated_at, known) >= 0) this.#held.set(id, location);
  }

  drop(id: string): void {
    if (this.#held.delete(id)) this.#gone(id);
  }

  /** Over, as the provider says; the time is that of its answer. */
  end(id: string, at: string | undefined): void {
    if (at !== undefined) this.#ended.set(id, at);
    this.drop(id);
  }

  dropWhere(over: (location: LiveLocation) => boolean): void {
    for (const location of this.all()) if (over(location)) this.drop(location.message_id);
  }

  forget(): void {
    this.#ended.clear();
    this.dropWhere(() => true);
  }
}
