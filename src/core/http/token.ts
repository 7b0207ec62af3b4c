/** Chooses the token of a call and replaces an expired one: one refresh for all who wait (specification/auth.md §8). */
import { TOKEN_REFRESH_ATTEMPTS } from "../../wire/constants.ts";
import { ANONYMOUS_ID } from "../../wire/ids.ts";
import { readToken, signToken } from "../../wire/token.ts";
import type { TokenSource } from "../base/api-types.ts";
import { LocalError } from "../../model/errors.ts";
import { delay } from "../base/delay.ts";
import type { Clock, Random } from "../base/ports.ts";
import { wait } from "../base/wait.ts";

export const NOT_CONNECTED = "connection requires connectUser first";

/** There is no token to go on with: nobody is set, it is not the user's, or renewing has been given up (specification/auth.md §8). */
export class SignInNeeded extends LocalError {
  /** The source gave the refused token once more. */
  readonly unchanged: boolean;
  constructor(message: string, unchanged = false) {
    super(message);
    this.name = "SignInNeeded";
    this.unchanged = unchanged;
  }
}

export interface Credential {
  token: string;
  authType: "jwt" | "anonymous";
  /** Absent for the server token. */
  userId?: string;
}

export interface Tokens {
  readonly userId: string | undefined;
  /** Server-side calls can be made (specification/auth.md §10). */
  readonly hasSecret: boolean;
  /** Whether a code 40 can be answered with a new token: the source is a function. */
  readonly refreshable: boolean;
  set(userId: string, source: TokenSource): void;
  clear(): void;
  /** The user's token, loaded on first use; the server token when `server` or when no user is set but a secret is known. Throws `LocalError`. */
  credential(server?: boolean): Promise<Credential>;
  /**
   * A token other than the `spent` one. One flight for all waiting calls; from the second failure in a row it waits
   * the back-off first. Rejects with `SignInNeeded` when the source has no other or after TOKEN_REFRESH_ATTEMPTS in a
   * row, and with whatever the source throws.
   */
  refresh(spent: string): Promise<string>;
  /** The user's token in use; undefined before the first. */
  readonly current: string | undefined;
  /** The source is asked anew for the next call: somebody may have signed in since. */
  again(): void;
  /** Takes what the source gives now; false when that is the token in use. Rejects as the source does. */
  newer(): Promise<boolean>;
  /** A call went through with this token: the failure counter starts again. */
  worked(token: string): void;
}

interface TokenDeps {
  clock: Clock;
  random: Random;
  secret?: string | undefined;
  /** The provider's time, milliseconds: what a source mints must be good there. */
  now(): number;
}

/** The token of the user who is set, asked of its source once for all who wait. */
class UserToken {
  readonly #now: () => number;
  userId: string | undefined;
  current: string | undefined;
  /** Grows with every set and clear, so that an answer for a former user is dropped. */
  generation = 0;
  #source: TokenSource | undefined;
  #loading: Promise<string> | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get refreshable(): boolean {
    return typeof this.#source === "function";
  }

  set(userId?: string, source?: TokenSource): void {
    this.generation += 1;
    this.userId = userId;
    this.#source = source;
    this.current = this.#loading = undefined;
  }

  /** Rejects with `SignInNeeded` when what the source gives is not a token of the user, and as the source does. */
  async ask(): Promise<string> {
    const { generation, userId } = this;
    const token = await this.#given();
    if (generation !== this.generation) throw new SignInNeeded(NOT_CONNECTED);
    if (typeof token !== "string" || token === "")
      throw new SignInNeeded(`The token of ${userId} is empty: sign in again`);
    const claimed = readToken(token)?.claims.user_id;
    if (claimed !== userId) throw new SignInNeeded(`User token does not belong to user ${userId}`);
    this.current = token;
    return token;
  }

  load(): Promise<string> {
    if (this.current !== undefined) return Promise.resolve(this.current);
    const started: Promise<string> = (this.#loading ??= this.ask().finally(() => {
      if (this.#loading === started) this.#loading = undefined;
    }));
    return started;
  }

  async #given(): Promise<string | undefined> {
    const source = this.#source;
    return typeof source === "function" ? source(this.#now()) : source;
  }
}

/** Replaces tokens that were refused: one flight for all who wait, later after each failure, and not for ever. */
class Renewal {
  readonly #deps: TokenDeps;
  readonly #user: UserToken;
  #flight: Promise<string> | undefined;
  #failures = 0;

  constructor(deps: TokenDeps, user: UserToken) {
    this.#deps = deps;
    this.#user = user;
  }

  /** Another user, or nobody. */
  reset(): void {
    this.#flight = undefined;
    this.#failures = 0;
  }

  worked(): void {
    this.#failures = 0;
  }

  start(spent: string): Promise<string> {
    const started: Promise<string> = (this.#flight ??= this.#renew(spent).finally(() => {
      if (this.#flight === started) this.#flight = undefined;
    }));
    return started;
  }

  async #renew(spent: string): Promise<string> {
    const { clock, random } = this.#deps;
    const { generation } = this.#user;
    this.#failures += 1;
    if (this.#failures > TOKEN_REFRESH_ATTEMPTS)
      throw new SignInNeeded(
        `The token was refused ${TOKEN_REFRESH_ATTEMPTS} times after being renewed: sign in again`,
      );
    if (this.#failures > 1) await wait(clock, delay(this.#failures, random.float()));
    if (generation !== this.#user.generation) throw new SignInNeeded(NOT_CONNECTED);
    const token = await this.#user.ask();
    if (token === spent) throw new SignInNeeded("There is no newer token: sign in again", true);
    return token;
  }
}

export function createTokens(deps: TokenDeps): Tokens {
  const user = new UserToken(() => deps.now());
  const renewal = new Renewal(deps, user);

  return {
    get userId() {
      return user.userId;
    },
    hasSecret: deps.secret !== undefined,
    get current() {
      return user.current;
    },
    get refreshable() {
      return user.refreshable;
    },
    set(id, source) {
      user.set(id, source);
      renewal.reset();
    },
    clear() {
      user.set();
      renewal.reset();
    },
    async credential(server = false) {
      const { userId } = user;
      if (deps.secret !== undefined && (server || userId === undefined))
        return { token: signToken({ server: true }, deps.secret), authType: "jwt" };
      if (userId === undefined) throw new SignInNeeded(NOT_CONNECTED);
      if (userId === ANONYMOUS_ID) return { token: "", authType: "anonymous", userId };
      return { token: await user.load(), authType: "jwt", userId };
    },
    refresh(spent) {
      if (user.current !== undefined && user.current !== spent) return Promise.resolve(user.current);
      return renewal.start(spent);
    },
    again() {
      user.current = undefined;
      renewal.worked();
    },
    async newer() {
      const before = user.current;
      return (await user.ask()) !== before;
    },
    worked(token) {
      if (token === user.current) renewal.worked();
    },
  };
}
