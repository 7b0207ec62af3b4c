/** The type of reducer tables, from event name to function over the working copy. */
import type { AnyEvent, EventType, WireEvent } from "../../wire/events.ts";
import type { StateDraft } from "./state-draft.ts";

/** Reducers are pure: they never wait, log or read a clock. Fields missing in the event change nothing. */
export type ReducerTable = { [K in EventType]?: (draft: StateDraft, event: WireEvent<K>) => void };

/** A known event as `AnyEvent`, for queues and listeners. */
export function plainEvent(event: object): AnyEvent {
  return event as AnyEvent;
}
