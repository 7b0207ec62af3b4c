/** Closes a provider after a time without clients, unless it is set to stay. */
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";

/** Time without clients before the provider closes, milliseconds. */
export const IDLE_LIMIT = 10 * 60_000;

interface IdleContext {
  clock: ProviderClock;
  /** Whether a client is connected or the provider is closing already. */
  busy(): boolean;
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
    this.restart();
  }

  /** Restarts the timer after a request, a connect or a disconnect. */
  readonly restart = (): void => {
    this.stop();
    if (this.#stays || this.#context.busy()) return;
    this.#timer = this.#context.clock.after(IDLE_LIMIT, () => this.#context.end());
  };

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
