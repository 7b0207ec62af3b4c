/** Notifies subscribers once a tick and listeners of events one by one; one that throws harms no other. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Log } from "../base/ports.ts";

type EventListener = (event: AnyEvent) => void;

export class Listeners {
  readonly #log: Log;
  readonly #subscribers = new Set<() => void>();
  readonly #byType = new Map<string, Set<EventListener>>();
  #told = false;

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

  /** The state has changed; however often in a tick, subscribers are told once, after it. */
  changed(): void {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      for (const listener of Array.from(this.#subscribers)) this.#guarded(listener, "the state");
    });
  }

  emit(events: readonly AnyEvent[]): void {
    if (this.#byType.size === 0) return;
    for (const event of events) {
      this.#tell(event.type, event, event.type);
      if (event.type !== "all") this.#tell("all", event, "all events");
    }
  }

  #tell(type: string, event: AnyEvent, what: string): void {
    const listeners = this.#byType.get(type);
    if (listeners) for (const listener of Array.from(listeners)) this.#guarded(() => listener(event), what);
  }

  #guarded(run: () => void, what: string): void {
    try {
      run();
    } catch (error) {
      this.#log.error(`a listener of ${what} failed`, { error: String(error) });
    }
  }
}
