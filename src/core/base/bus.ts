/** The event bus between the parts of core; parts are called in the order in which they joined. */
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";

/** A part is called for the events it has a method for. */
interface BusPart {
  /** An event was applied to the state. */
  onEvent?(event: AnyEvent): void;
  /** Channels of an answer were applied to the state. */
  onQueried?(states: readonly ChannelState[]): void;
  /** The state changed, by an event or by an answer. */
  onStateChanged?(): void;
  /** The connection opened: what was missed can be fetched now (specification/locations.md §7, specification/threads.md §7). */
  onConnected?(): void;
  /** The connection opened or stopped. */
  onLinkChanged?(): void;
  /** The user closed the channel on the screen. */
  onLeft?(cid: string): void;
  /** The user signed out. */
  reset?(): void;
  /** Core closes; timers must be cleared. */
  close?(): void;
}

export interface Bus {
  /** Returns the part. */
  join<P extends BusPart>(part: P): P;
  emit<K extends keyof BusPart>(name: K, ...args: Parameters<NonNullable<BusPart[K]>>): void;
}

export function createBus(): Bus {
  const parts: BusPart[] = [];
  return {
    join(part) {
      parts.push(part);
      return part;
    },
    emit(name, ...args) {
      for (const part of parts) (part[name] as ((...args: unknown[]) => void) | undefined)?.apply(part, args);
    },
  };
}
