/** The state machine: holds the snapshot, reduces batches of events and changes, and notifies listeners once a tick. */
import { isPlaceholder } from "../../wire/reading.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Clock, Log, Random, Timer } from "../base/ports.ts";
import { CLEANING_INTERVAL } from "../../wire/constants.ts";
import { applyChange, nextExpiry, tick } from "./apply.ts";
import type { StateChange, Refetch } from "./change.ts";
import type { State } from "../../model/state.ts";
import { sameFields } from "../../model/same-list.ts";
import { Listeners } from "./listeners.ts";
import { reduceInto } from "./reduce.ts";
import { StateDraft } from "./state-draft.ts";
import { EMPTY_INTERNAL_STATE, type ReduceContext, type InternalState } from "./internal-state.ts";

interface MachineOptions {
  clock: Clock;
  random: Random;
  log: Log;
  userId(): string | undefined;
}

export interface StateMachine {
  state(): State;
  /** Called after a change, at most once a tick. */
  subscribe(listener: () => void): () => void;
  /** Reduces the whole batch, then calls the listeners. `isReplay`: the events are older than the loaded snapshot. */
  dispatch(events: readonly AnyEvent[], isReplay?: boolean): void;
  apply(change: StateChange): void;
  on(type: string, listener: (event: AnyEvent) => void): () => void;
  /** Removes and returns the requested refetches; each appears once until its answer was applied. */
  takeRefetches(): Refetch[];
  /** Number of the last reduction: read it before a request and pass it with the answer as `since` (specification/state.md §2). */
  revision(): number;
  /** Number of event batches so far: when it changes during a request, the answer may not include the new events. */
  eventBatches(): number;
  /** Provider clock − local clock, milliseconds (specification/wire.md §7). */
  offset(): number;
  /** Ends the timers. */
  close(): void;
}

/** The longest wait for an expiry, ms: the clock may be set meanwhile. */
const LONGEST_WAIT = 60_000;

const contextOf = ({ clock, userId }: MachineOptions, offset: number): ReduceContext => ({
  me: userId(),
  now: clock.now() + offset,
  monotonic: clock.monotonic(),
});

/** Calls `expire` when something of the state is due, at most CLEANING_INTERVAL late; nothing runs until then. */
function expiryTimer(clock: Clock, expire: () => void) {
  let timer: Timer | undefined;
  /** When it is due, monotonic ms. */
  let due = Infinity;
  return {
    plan(state: State, context: ReduceContext): void {
      const soonest = context.monotonic + CLEANING_INTERVAL;
      if (due <= soonest) return;
      const next = nextExpiry(state, context);
      const at = Math.max(soonest, context.monotonic + Math.min(next, LONGEST_WAIT));
      if (next === Infinity || due <= at) return;
      clock.clearTimeout(timer);
      due = at;
      timer = clock.setTimeout(() => {
        due = Infinity;
        expire();
      }, at - context.monotonic);
    },
    stop: () => clock.clearTimeout(timer),
  };
}

export function createStateMachine(options: MachineOptions): StateMachine {
  const { clock, log } = options;
  const listeners = new Listeners(log);
  let internal: InternalState = EMPTY_INTERNAL_STATE;
  const expiries = expiryTimer(clock, () => change(tick));
  let closed = false;
  let eventBatches = 0;

  const logFailure = (event: AnyEvent, error: unknown): void =>
    log.warn("an event could not be applied", { type: event.type, error: String(error) });

  function change(run: (draft: StateDraft) => void, events: readonly AnyEvent[] = []): void {
    const draft = new StateDraft(internal, contextOf(options, internal.offset));
    run(draft);
    reduceInto(draft, draft.requeued.splice(0), logFailure);
    const next = draft.finish();
    const changed = !sameFields(internal.state, next.state);
    internal = changed ? next : { ...next, state: internal.state };
    if (changed) listeners.notifyChanged();
    listeners.emit(events);
    listeners.emit(draft.emitted);
    if (!closed) expiries.plan(internal.state, contextOf(options, internal.offset));
  }

  return {
    state: () => internal.state,
    subscribe: (listener) => listeners.subscribe(listener),
    dispatch(events, past = false) {
      if (events.length === 0) return;
      eventBatches += 1;
      change((draft) => {
        draft.isReplay = past;
        reduceInto(draft, events, logFailure);
      }, events);
    },
    apply(what) {
      // Nothing can be learned from what the provider did not say.
      if (!Object.values(what).some(isPlaceholder)) change((draft) => applyChange(draft, what));
    },
    on: (type, listener) => listeners.on(type, listener),
    takeRefetches() {
      const { refetchQueue } = internal;
      if (refetchQueue.length) internal = { ...internal, refetchQueue: [] };
      return [...refetchQueue];
    },
    revision: () => internal.revision,
    eventBatches: () => eventBatches,
    offset: () => internal.offset,
    close() {
      closed = true;
      expiries.stop();
    },
  };
}
