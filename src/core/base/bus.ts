/** Tells every part of core what has happened, in the order in which they joined. */
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";

/** A part is told what it has a method for. */
interface BusPart {
  /** An event was dispatched, and is in the state. */
  heard?(event: AnyEvent): void;
  /** Channels of an answer are in the state. */
  queried?(states: readonly ChannelState[]): void;
  /** The state took an event or an answer. */
  changed?(): void;
  /** The link opened: what was missed meanwhile may be asked for (specification/locations.md §7, specification/threads.md §7). */
  connected?(): void;
  /** The link opened or has stopped: what waited for either may go on. */
  linkMoved?(): void;
  /** The user looks elsewhere. */
  left?(cid: string): void;
  /** The user is gone. */
  forget?(): void;
  /** Core ends, and the timers with it. */
  close?(): void;
}

export interface Bus {
  /** The part itself. */
  join<P extends BusPart>(part: P): P;
  tell<K extends keyof BusPart>(what: K, ...about: Parameters<NonNullable<BusPart[K]>>): void;
}

export function createBus(): Bus {
  const parts: BusPart[] = [];
  return {
    join(part) {
      parts.push(part);
      return part;
    },
    tell(what, ...about) {
      for (const part of parts)
        (part[what] as ((...about: unknown[]) => void) | undefined)?.apply(part, about);
    },
  };
}
