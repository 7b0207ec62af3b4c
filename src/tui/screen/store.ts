/** The screen's store: core's state and the screen in one snapshot, updated at once for keys and paced for the network (specification/screen.md §3). */
import type { Core } from "../../core/core.ts";
import type { State } from "../../model/state.ts";
import type { Layout } from "./layout.ts";
import type { Look } from "./look.ts";
import type { Screen } from "./screen.ts";

/** Core's lists of the own user, as far as they are loaded. */
export interface OwnListStates {
  readonly threads: ReturnType<Core["threads"]["state"]>;
  readonly reminders: ReturnType<Core["reminders"]["state"]>;
  readonly locations: ReturnType<Core["locations"]["state"]>;
}

/** What can change; where everything stands follows from it. */
export interface Snapshot {
  readonly state: State;
  readonly lists: OwnListStates;
  readonly screen: Screen;
  /** Wall clock of the snapshot, ms, whole seconds while something counts and whole minutes otherwise. */
  readonly now: number;
  readonly look: Look;
}

export interface Model extends Snapshot {
  readonly layout: Layout;
}

export interface StoreClock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** ≤ 30 paints a second for what the network brings. */
export const PACE_MS = 33;
/** The more comes the fewer paints, because nobody reads what runs by: from so many events a second on, so many milliseconds. */
export const FLOOD_PACES = [
  { from: 800, ms: 100 },
  { from: 400, ms: 50 },
] as const;

interface StoreParts {
  screen: Screen;
  look: Look;
  /** Core's state, and its lists: the same objects while nothing of them has changed. */
  read: () => Pick<Snapshot, "state" | "lists">;
  pace: StoreClock;
  /** Where everything stands; the same object while nothing moved. */
  measure: (snapshot: Snapshot) => Layout;
}

export class ScreenStore {
  #model: Model;
  readonly #read: StoreParts["read"];
  readonly #pace: StoreClock;
  readonly #measure: (snapshot: Snapshot) => Layout;
  readonly #listeners = new Set<() => void>();
  #timer: unknown;
  #painted = Number.NEGATIVE_INFINITY;
  #paceMs: number = PACE_MS;
  /** Events since the last paint. */
  #arrived = 0;
  /** Runs after every change and before the panes are told: reading marks, paging, the title. */
  onChange: (model: Model) => void = () => {};

  constructor({ screen, look, read, pace, measure }: StoreParts) {
    this.#read = read;
    this.#pace = pace;
    this.#measure = measure;
    this.#model = this.#measured({ screen, look, ...read(), now: pace.now() });
  }

  get = (): Model => this.#model;
  get screen(): Screen {
    return this.#model.screen;
  }
  get state(): State {
    return this.#model.state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A change by the user: painted in this tick. The network's changes are taken along only when `pull` is set. */
  update(change: (screen: Screen) => Screen, pull = true): void {
    const screen = change(this.#model.screen);
    if (pull) {
      this.#take(screen);
      return;
    }
    if (screen === this.#model.screen) return;
    this.#model = this.#measured({ ...this.#model, screen });
    this.#tell();
  }

  /** Draws everything as `change` has it. */
  restyle(change: (look: Look) => Look): void {
    this.#model = { ...this.#model, look: change(this.#model.look) };
    this.#tell();
  }

  /** One event of the network: how many come says how often is painted. */
  countEvent(): void {
    this.#arrived++;
  }

  /** Something came over the network, or a clock ticked: painted with the next frame. */
  scheduleUpdate(): void {
    if (this.#timer !== undefined) return;
    // The clock may be set back: never wait longer than between two pictures.
    const wait = Math.min(this.#paceMs, Math.max(0, this.#painted + this.#paceMs - this.#pace.now()));
    this.#timer = this.#pace.setTimeout(() => this.#take(this.#model.screen), wait);
  }

  close(): void {
    this.#pace.clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #take(screen: Screen): void {
    this.#pace.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#setPace();
    const { state, lists } = this.#read();
    const now = this.#pace.now();
    const old = this.#model;
    const same = screen === old.screen && state === old.state && lists === old.lists;
    if (same && now - old.now < 1000) return;
    this.#model = this.#measured({ ...old, screen, state, lists, now });
    this.#tell(true);
  }

  #setPace(): void {
    const now = this.#pace.now();
    // Two keys in one moment are no flood, and neither is the first batch after a quiet hour.
    const rate = (this.#arrived * 1000) / Math.max(now - this.#painted, this.#paceMs);
    this.#paceMs = FLOOD_PACES.find(({ from }) => rate >= from)?.ms ?? PACE_MS;
    this.#painted = now;
    this.#arrived = 0;
  }

  #measured(snapshot: Snapshot): Model {
    return { ...snapshot, layout: this.#measure(snapshot) };
  }

  /** With `pull` what {@link onChange} did to core's state, such as marking read, is in the same picture. */
  #tell(pull = false): void {
    this.onChange(this.#model);
    const { state, lists } = pull ? this.#read() : this.#model;
    if (state !== this.#model.state || lists !== this.#model.lists)
      this.#model = this.#measured({ ...this.#model, state, lists });
    for (const listener of this.#listeners) listener();
  }
}

/** The last answer again while the inputs are the same ones: who compares them skips them. */
export function memoLast<A extends readonly unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let inputs: A | undefined;
  let last: R;
  return (...args) => {
    if (inputs?.length === args.length && inputs.every((v, i) => Object.is(v, args[i]))) return last;
    last = make(...args);
    inputs = args;
    return last;
  };
}
