/** The type of reducer tables, from event name to function over the working copy. */
import type { AnyEvent, EventType, WireEvent } from "../../wire/events.ts";
import type { StateDraft } from "./state-draft.ts";

/** Nothing in a row awaits, logs or reads a clock; what is missing in the event changes nothing. */
export type Table = { [K in EventType]?: (draft: StateDraft, event: WireEvent<K>) => void };

/** A known event as one of the open kind, for queues and listeners. */
export function plainEvent(event: object): AnyEvent {
  return event as AnyEvent;
}
