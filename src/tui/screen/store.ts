/** What the panes draw from: core's state and the screen in one snapshot, at once for keys and paced for the network (specification/screen.md §3). */
import type { State } from "../../model/state.ts";
import type { Screen } from "./screen.ts";

export interface Model {
  readonly state: State;
  readonly screen: Screen;
  /** Wall clock of the snapshot, ms, whole seconds while something counts and whole minutes otherwise. */
  readonly now: number;
}

export interface Pace {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** ≤ 30 paints a second for what the network brings; 20 while it floods. */
export const PACE_MS = 33;
export const LOADED_PACE_MS = 50;
/** More changes than this between two paints is a flood. */
const FLOOD = 20;

export class ScreenStore {
  #model: Model;
  readonly #read: () => State;
  readonly #pace: Pace;
  readonly #listeners = new Set<() => void>();
  #timer: unknown;
  #painted = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  /** Runs after every change and before the panes are told: reading marks, paging, the title. */
  onChange: (model: Model) => void = () => {};

  constructor(screen: Screen, read: () => State, pace: Pace) {
    this.#read = read;
    this.#pace = pace;
    this.#model = { screen, state: read(), now: pace.now() };
  }

  get = (): Model => this.#model;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A change by the user: painted in this tick. The network's changes are taken along only when `pull` is set. */
  now(change: (screen: Screen) => Screen, pull = true): void {
    const screen = change(this.#model.screen);
    if (pull) {
      this.#take(screen);
      return;
    }
    if (screen === this.#model.screen) return;
    this.#model = { ...this.#model, screen };
    this.#tell();
  }

  /** Something came over the network, or a clock ticked: painted with the next frame. */
  later(): void {
    this.#waiting++;
    if (this.#timer !== undefined) return;
    const pace = this.#waiting > FLOOD ? LOADED_PACE_MS : PACE_MS;
    // The clock may be set back: never wait longer than between two pictures.
    const wait = Math.min(pace, Math.max(0, this.#painted + pace - this.#pace.now()));
    this.#timer = this.#pace.setTimeout(() => this.#take(this.#model.screen), wait);
  }

  close(): void {
    this.#pace.clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #take(screen: Screen): void {
    this.#pace.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#painted = this.#pace.now();
    // What waited tells whether it is a flood: carried over so that the next pause is the longer one.
    this.#waiting = this.#waiting > FLOOD ? FLOOD : 0;
    const state = this.#read();
    const now = this.#pace.now();
    const old = this.#model;
    if (screen === old.screen && state === old.state && now - old.now < 1000) return;
    this.#model = { screen, state, now };
    this.#tell(true);
  }

  /** With `pull` what {@link onChange} did to core's state, such as marking read, is in the same picture. */
  #tell(pull = false): void {
    this.onChange(this.#model);
    const state = pull ? this.#read() : this.#model.state;
    if (state !== this.#model.state) this.#model = { ...this.#model, state };
    for (const listener of this.#listeners) listener();
  }
}

let epoch = 0;

/** What was drawn is of no use any more: a theme has changed. */
export function forgetDrawn(): void {
  epoch++;
}

/** The last answer again while the inputs are the same ones: panes get the same rows and React skips them. */
export function memoLast<A extends readonly unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let inputs: A | undefined;
  let last: R;
  let made = epoch;
  return (...args) => {
    if (
      inputs &&
      made === epoch &&
      inputs.length === args.length &&
      inputs.every((v, i) => Object.is(v, args[i]))
    )
      return last;
    last = make(...args);
    inputs = args;
    made = epoch;
    return last;
  };
}
