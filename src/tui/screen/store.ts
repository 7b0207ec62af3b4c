/** The store: core's state and the UI state in one snapshot. Keys update it at once, network events at a limited rate (specification/screen.md §3). */
import { sameList } from "../../model/same-list.ts";
import type { Core } from "../../core/core.ts";
import type { State } from "../../model/state.ts";
import type { Layout } from "./layout.ts";
import type { Look } from "./look.ts";
import type { Screen } from "./screen.ts";

/** The state of core's lists of the current user. */
export interface UserListStates {
  readonly threads: ReturnType<Core["threads"]["state"]>;
  readonly reminders: ReturnType<Core["reminders"]["state"]>;
  readonly locations: ReturnType<Core["locations"]["state"]>;
}

/** All inputs of rendering; the layout is computed from it. */
export interface Snapshot {
  readonly state: State;
  readonly lists: UserListStates;
  readonly screen: Screen;
  /** Time of the snapshot to the second, ms; updated every second while something counts down, else every minute. */
  readonly now: number;
  readonly look: Look;
}

export interface Model extends Snapshot {
  readonly layout: Layout;
  /** `now` without its seconds, for what is shown to the minute; ms. */
  readonly minute: number;
  /** Of the state, for those who read nothing else of it. */
  readonly link: State["link"];
  readonly notices: State["notices"];
  /** The model that this is the other half's view of (halves.ts). */
  readonly whole?: Model;
}

/** What changes on its own: each field of the screen, and each other part of the model. */
export type Slice = Exclude<keyof Model, "screen" | "whole"> | keyof Screen;

/** The slices that a function reads. */
export type Reads<K extends Slice> = Pick<Model, Extract<K, keyof Model>> & {
  readonly screen: Pick<Screen, Extract<K, keyof Screen>>;
};

declare const notNamed: unique symbol;
/** The same for a view, which is told of no others: to read one that it has not named, also an optional one, does not compile. */
export type Slices<K extends Slice> = Reads<K> & {
  readonly screen: { readonly [Other in Exclude<keyof Screen, K>]?: typeof notNamed };
};

/** The slices in which two models differ; all of them for the first one. */
function changedSlices(before: Model | undefined, after: Model): ReadonlySet<Slice> {
  const old: Partial<Record<Slice, unknown>> = { ...before, ...before?.screen };
  const next: Partial<Record<Slice, unknown>> = { ...after, ...after.screen };
  const changed = new Set<Slice>();
  for (const name of Object.keys({ ...old, ...next }) as Slice[])
    if (!before || old[name] !== next[name]) changed.add(name);
  return changed;
}

export interface StoreClock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** Minimum interval between paints caused by the network: at most 30 a second. */
export const PAINT_INTERVAL_MS = 33;
/** Longer intervals (ms) from these event rates (per second) on, because nobody reads text that scrolls by. */
export const FLOOD_INTERVALS = [
  { from: 800, ms: 100 },
  { from: 400, ms: 50 },
] as const;

interface StoreParts {
  screen: Screen;
  look: Look;
  /** Core's state and lists; the same objects while nothing changed. */
  read: () => Pick<Snapshot, "state" | "lists">;
  clock: StoreClock;
  /** Computes the layout; the same object while nothing moved. */
  measure: (snapshot: Snapshot) => Layout;
}

export class ScreenStore {
  #model: Model;
  readonly #read: StoreParts["read"];
  readonly #clock: StoreClock;
  readonly #measure: (snapshot: Snapshot) => Layout;
  /** With the slices that each of them draws; undefined for all. */
  readonly #listeners = new Map<() => void, ReadonlySet<Slice> | undefined>();
  /** The model that the listeners have been told of. */
  #told: Model | undefined;
  #timer: unknown;
  #paintedAt = Number.NEGATIVE_INFINITY;
  #intervalMs: number = PAINT_INTERVAL_MS;
  /** Events since the last paint. */
  #eventCount = 0;
  /** Runs after every change, before the listeners, with the slices that have changed: read marks, paging, the title and other effects. */
  onChange: (model: Model, changed: ReadonlySet<Slice>) => void = () => {};

  constructor({ screen, look, read, clock, measure }: StoreParts) {
    this.#read = read;
    this.#clock = clock;
    this.#measure = measure;
    this.#model = this.#withLayout({ screen, look, ...read(), now: wholeSecond(clock.now()) });
  }

  get = (): Model => this.#model;
  get screen(): Screen {
    return this.#model.screen;
  }
  get state(): State {
    return this.#model.state;
  }

  /** The listener is called after changes of these slices; without them, after every change. */
  subscribe = (listener: () => void, slices?: readonly Slice[]): (() => void) => {
    this.#listeners.set(listener, slices && new Set(slices));
    return () => this.#listeners.delete(listener);
  };

  /** Applies a change by the user and paints in this tick. With `pull`, pending changes of core are included. */
  update(change: (screen: Screen) => Screen, pull = true): void {
    const screen = change(this.#model.screen);
    if (pull) {
      this.#commit(screen);
      return;
    }
    if (screen === this.#model.screen) return;
    this.#model = this.#withLayout({ ...this.#model, screen });
    this.#publish();
  }

  /** Changes the look and redraws everything. */
  restyle(change: (look: Look) => Look): void {
    this.#model = { ...this.#model, look: change(this.#model.look) };
    this.#publish();
  }

  /** Counts a network event; the rate of events sets the paint interval. */
  countEvent(): void {
    this.#eventCount++;
  }

  /** Schedules a paint after a network event or clock tick. */
  scheduleUpdate(): void {
    if (this.#timer !== undefined) return;
    // The clock may be set back: never wait longer than one interval.
    const wait = Math.min(
      this.#intervalMs,
      Math.max(0, this.#paintedAt + this.#intervalMs - this.#clock.now()),
    );
    this.#timer = this.#clock.setTimeout(() => this.#commit(this.#model.screen), wait);
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #commit(screen: Screen): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#updateInterval();
    const { state, lists } = this.#read();
    const now = wholeSecond(this.#clock.now());
    const previous = this.#model;
    const unchanged = screen === previous.screen && state === previous.state && lists === previous.lists;
    if (unchanged && now === previous.now) return;
    this.#model = this.#withLayout({ ...previous, screen, state, lists, now });
    this.#publish(true);
  }

  #updateInterval(): void {
    const now = this.#clock.now();
    // Dividing by at least one interval: a few events at once, or the first batch after a quiet hour, are not a flood.
    const rate = (this.#eventCount * 1000) / Math.max(now - this.#paintedAt, this.#intervalMs);
    this.#intervalMs = FLOOD_INTERVALS.find(({ from }) => rate >= from)?.ms ?? PAINT_INTERVAL_MS;
    this.#paintedAt = now;
    this.#eventCount = 0;
  }

  #withLayout(snapshot: Snapshot): Model {
    const minute = snapshot.now - (snapshot.now % 60_000);
    const { link, notices } = snapshot.state;
    return { ...snapshot, minute, link, notices, layout: this.#measure(snapshot) };
  }

  /** With `pull`, changes that {@link onChange} made in core, such as read marks, are painted in the same frame. */
  #publish(pull = false): void {
    const before = this.#told;
    this.#tell();
    const { state, lists } = pull ? this.#read() : this.#model;
    if (state !== this.#model.state || lists !== this.#model.lists) {
      this.#model = this.#withLayout({ ...this.#model, state, lists });
      this.#tell();
    }
    const changed = changedSlices(before, this.#model);
    for (const [listener, slices] of this.#listeners) if (!slices?.isDisjointFrom(changed)) listener();
  }

  #tell(): void {
    const before = this.#told;
    this.#told = this.#model;
    this.onChange(this.#model, changedSlices(before, this.#model));
  }
}

const wholeSecond = (ms: number): number => ms - (ms % 1000);

/** Memoises the last result, or the last `count` ones, so that equal inputs give the same object. */
export function memoizeLast<A extends readonly unknown[], R>(
  compute: (...args: A) => R,
  count = 1,
): (...args: A) => R {
  /** The latest used first. */
  const known: { inputs: A; result: R }[] = [];
  return (...args) => {
    for (const [at, one] of known.entries()) {
      if (!sameList(one.inputs, args)) continue;
      if (at > 0) known.unshift(...known.splice(at, 1));
      return one.result;
    }
    const result = compute(...args);
    known.unshift({ inputs: args, result });
    if (known.length > count) known.pop();
    return result;
  };
}

/** For what is worked out for each of two halves in turn. */
export const BOTH_HALVES = 2;
