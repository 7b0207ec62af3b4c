/** Closes connections when their tokens expire: one timer for the earliest (specification/auth.md §3, §8). */
import { CLOSE_POLICY } from "../../wire/constants.ts";
import { ApiProblem } from "../base/handler.ts";
import { TOKEN_IS_EXPIRED, errorBody } from "../base/errors.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { Hub } from "./hub.ts";

export class TokenEnds {
  readonly #hub: Hub;
  readonly #clock: ProviderClock;
  #timer: ProviderTimer | undefined;
  /** Whole microseconds the timer waits for. */
  #at = Infinity;

  constructor(hub: Hub, clock: ProviderClock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  /** A connection holds a token that ends then. */
  expect(endsAt: number | undefined): void {
    if (endsAt !== undefined && endsAt < this.#at) this.look();
  }

  /** Ends what is over and waits for the next; also for a clock that was moved. */
  look(): void {
    const now = this.#clock.now();
    this.#at = Infinity;
    for (const connection of Array.from(this.#hub.all())) {
      const { endsAt = Infinity, link } = connection;
      if (endsAt > now) this.#at = Math.min(this.#at, endsAt);
      else link.close(CLOSE_POLICY, expired());
    }
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#at === Infinity) return;
    this.#timer = this.#clock.after(Math.ceil((this.#at - now) / 1000), () => this.look());
  }

  stop(): void {
    this.#timer?.cancel();
  }
}

function expired(): string {
  const error = errorBody("Connect", ApiProblem.tokenExpired(TOKEN_IS_EXPIRED), performance.now());
  return JSON.stringify({ error });
}
