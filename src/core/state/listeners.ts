/** Notifies subscribers of the state and listeners of events; one that throws does not affect the others. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Log } from "../base/ports.ts";

type EventListener = (event: AnyEvent) => void;

export class Listeners {
  readonly #log: Log;
  readonly #subscribers = new Set<() => void>();
  readonly #byType = new Map<string, Set<EventListener>>();
  #scheduled = false;

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(listener: () => void): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  /** `type`: the exact type, or `"all"`. */
  on(type: string, listener: EventListener): () => void {
    const set = this.#byType.get(type) ?? new Set();
    this.#byType.set(type, set.add(listener));
    return () => set.delete(listener);
  }

  /** Notifies subscribers at the end of the tick, once for all changes in it. */
  notifyChanged(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (const listener of Array.from(this.#subscribers)) this.#runSafely(listener, "the state");
    });
  }

  emit(events: readonly AnyEvent[]): void {
    if (this.#byType.size === 0) return;
    for (const event of events) {
      this.#emitTo(event.type, event, event.type);
      if (event.type !== "all") this.#emitTo("all", event, "all events");
    }
  }

  #emitTo(type: string, event: AnyEvent, what: string): void {
    const listeners = this.#byType.get(type);
    if (listeners) for (const listener of Array.from(listeners)) this.#runSafely(() => listener(event), what);
  }

  #runSafely(run: () => void, what: string): void {
    try {
      run();
    } catch (error) {
      this.#log.error(`a listener of ${what} failed`, { error: String(error) });
    }
  }
}
