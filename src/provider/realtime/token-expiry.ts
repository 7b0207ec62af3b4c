/** Closes connections when their tokens expire: one timer for the earliest (specification/auth.md §3, §8). */
import { CLOSE_POLICY } from "../../wire/constants.ts";
import { ApiProblem } from "../base/handler.ts";
import { TOKEN_IS_EXPIRED, errorBody } from "../base/errors.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { Hub } from "./hub.ts";

export class TokenExpiry {
  readonly #hub: Hub;
  readonly #clock: ProviderClock;
  #timer: ProviderTimer | undefined;
  /** When the timer fires, whole microseconds. */
  #firesAt = Infinity;

  constructor(hub: Hub, clock: ProviderClock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  /** Takes the expiry of a new connection's token into account. */
  add(endsAt: number | undefined): void {
    if (endsAt !== undefined && endsAt < this.#firesAt) this.closeExpired();
  }

  /** Closes connections with expired tokens and waits for the next expiry; also called after the clock was moved. */
  closeExpired(): void {
    const now = this.#clock.now();
    this.#firesAt = Infinity;
    for (const connection of Array.from(this.#hub.all())) {
      const { endsAt = Infinity, link } = connection;
      if (endsAt > now) this.#firesAt = Math.min(this.#firesAt, endsAt);
      else link.close(CLOSE_POLICY, expiredError());
    }
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#firesAt === Infinity) return;
    this.#timer = this.#clock.after(Math.ceil((this.#firesAt - now) / 1000), () => this.closeExpired());
  }

  stop(): void {
    this.#timer?.cancel();
  }
}

function expiredError(): string {
  const error = errorBody("Connect", ApiProblem.tokenExpired(TOKEN_IS_EXPIRED), performance.now());
  return JSON.stringify({ error });
}
