/** The state machine: holds the one snapshot, reduces batches of events and changes, and tells listeners once a tick. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Clock, Log, Random } from "../ports.ts";
import type { StateChange, Want } from "./change.ts";
import type { State } from "./model.ts";

export interface MachineOptions {
  clock: Clock;
  random: Random;
  log: Log;
  userId(): string | undefined;
}

export interface StateMachine {
  state(): State;
  /** Called once a tick after a change, however many there were. */
  subscribe(listener: () => void): () => void;
  /** Reduces the whole batch, then tells listeners of the exact type and of `"all"`. */
  dispatch(events: readonly AnyEvent[]): void;
  apply(change: StateChange): void;
  on(type: string, listener: (event: AnyEvent) => void): () => void;
  /** What must be asked of the provider; taken from the list by this call, each wish appears once until it is served. */
  takeWants(): Want[];
  /** Number of the last reduction: remember it before a request, hand it back with the answer (decisions 23). */
  serial(): number;
  /** Ends the timers. */
  close(): void;
}
