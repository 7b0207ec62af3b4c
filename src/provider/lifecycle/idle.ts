/** Ends a provider after a while without clients, unless it was told to stay. */
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";

/** Without a client for this long a provider that was not told to stay ends. */
export const IDLE_LIMIT = 10 * 60_000;

interface IdleContext {
  clock: ProviderClock;
  /** Is anybody connected, or the end under way already. */
  needed(): boolean;
  end(): void;
}

export class IdleWatch {
  readonly #context: IdleContext;
  #stays: boolean;
  #timer: ProviderTimer | undefined;

  constructor(context: IdleContext, stays: boolean) {
    this.#context = context;
    this.#stays = stays;
  }

  get stays(): boolean {
    return this.#stays;
  }

  stay(on: boolean): void {
    this.#stays = on;
    this.touched();
  }

  /** A client spoke, came or went: the time runs anew. */
  readonly touched = (): void => {
    this.stop();
    if (this.#stays || this.#context.needed()) return;
    this.#timer = this.#context.clock.after(IDLE_LIMIT, () => this.#context.end());
  };

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
