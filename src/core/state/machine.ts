/** The state machine: holds the one snapshot, reduces batches of events and changes, and tells listeners once a tick. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Clock, Log, Random, Timer } from "../ports.ts";
import { applyChange, CHECK_EVERY, needsTick, tick } from "./apply.ts";
import type { StateChange, Want } from "./change.ts";
import type { State } from "../../model/state.ts";
import { reduceInto } from "./reduce.ts";
import { Work } from "./work.ts";
import { EMPTY_WORLD } from "./world.ts";
import type { Facts, World } from "./world.ts";

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
  dispatch(events: readonly AnyEvent[], past?: boolean): void;
  apply(change: StateChange): void;
  on(type: string, listener: (event: AnyEvent) => void): () => void;
  /** What must be asked of the provider; taken from the list by this call, each wish appears once until it is served. */
  takeWants(): Want[];
  /** Number of the last reduction: remember it before a request, hand it back with the answer (decisions 23). */
  serial(): number;
  /** How many batches of events came so far: an answer beside which one came may not know of it. */
  heard(): number;
  /** Provider clock − local clock, milliseconds (decisions 21). */
  offset(): number;
  /** Ends the timers. */
  close(): void;
}

function differs(a: State, b: State): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof State>;
  for (const key of keys) if (a[key] !== b[key]) return true;
  return false;
}

export function createStateMachine({ clock, log, userId }: MachineOptions): StateMachine {
  let world: World = EMPTY_WORLD;
  let told = false;
  let timer: Timer | undefined;
  let closed = false;
  let heard = 0;
  const subscribers = new Set<() => void>();
  const listeners = new Map<string, Set<(event: AnyEvent) => void>>();

  const facts = (): Facts => ({
    me: userId(),
    now: clock.now() + world.offset,
    monotonic: clock.monotonic(),
  });

  function guarded(run: () => void, what: string): void {
    try {
      run();
    } catch (error) {
      log.error(`a listener of ${what} failed`, { error: String(error) });
    }
  }

  function tellSubscribers(): void {
    if (told) return;
    told = true;
    queueMicrotask(() => {
      told = false;
      for (const listener of Array.from(subscribers)) guarded(listener, "the state");
    });
  }

  function emit(events: readonly AnyEvent[]): void {
    if (listeners.size === 0) return;
    for (const event of events) {
      for (const listener of Array.from(listeners.get(event.type) ?? []))
        guarded(() => listener(event), event.type);
      if (event.type !== "all")
        for (const listener of Array.from(listeners.get("all") ?? []))
          guarded(() => listener(event), "all events");
    }
  }

  function schedule(): void {
    if (closed || timer || !needsTick(world.state)) return;
    timer = clock.setTimeout(() => {
      timer = undefined;
      change(tick);
    }, CHECK_EVERY);
  }

  function change(run: (work: Work) => void, events: readonly AnyEvent[] = []): void {
    const work = new Work(world, facts());
    run(work);
    const fault = (event: AnyEvent, error: unknown): void =>
      log.warn("an event could not be applied", { type: event.type, error: String(error) });
    reduceInto(work, work.again.splice(0), fault);
    const next = work.done();
    const changed = differs(world.state, next.state);
    world = changed ? next : { ...next, state: world.state };
    if (changed) tellSubscribers();
    emit(events);
    emit(work.emitted);
    schedule();
  }

  return {
    state: () => world.state,
    subscribe(listener) {
      subscribers.add(listener);
      return () => subscribers.delete(listener);
    },
    dispatch(events, past = false) {
      if (events.length === 0) return;
      heard += 1;
      change((work) => {
        work.past = past;
        reduceInto(work, events, (event, error) =>
          log.warn("an event could not be applied", { type: event.type, error: String(error) }),
        );
      }, events);
    },
    apply: (what) => change((work) => applyChange(work, what)),
    on(type, listener) {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener));
      return () => set.delete(listener);
    },
    takeWants() {
      const { wants } = world;
      if (wants.length) world = { ...world, wants: [] };
      return [...wants];
    },
    serial: () => world.serial,
    heard: () => heard,
    offset: () => world.offset,
    close() {
      closed = true;
      clock.clearTimeout(timer);
      timer = undefined;
    },
  };
}
