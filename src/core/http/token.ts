/** Chooses the token of a call and renews an expired one, once for all waiting calls (specification/auth.md §8). */
import { TOKEN_REFRESH_ATTEMPTS } from "../../wire/constants.ts";
import { ANONYMOUS_ID } from "../../wire/ids.ts";
import { readToken, signToken } from "../../wire/token.ts";
import type { TokenSource } from "../base/api-types.ts";
import { LocalError } from "../../model/errors.ts";
import { delay } from "../base/delay.ts";
import type { Clock, Random } from "../base/ports.ts";
import { wait } from "../base/wait.ts";

export const NOT_CONNECTED = "connection requires connectUser first";

/** No usable token: no user is set, the token belongs to another user, or renewing it failed too often (specification/auth.md §8). */
export class SignInNeeded extends LocalError {
  /** The source returned the refused token again. */
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
  /** Whether server-side calls are possible (specification/auth.md §10). */
  readonly hasSecret: boolean;
  /** Whether an expired token can be renewed: the source is a function. */
  readonly refreshable: boolean;
  set(userId: string, source: TokenSource): void;
  clear(): void;
  /** The user's token, loaded on first use; the server token with `server`, or when a secret but no user is set. Throws `LocalError`. */
  credential(server?: boolean): Promise<Credential>;
  /**
   * A token other than the refused one, fetched once for all waiting calls; from the second failure in a row it waits the
   * back-off first. Rejects with `SignInNeeded` when the source has no other token or after TOKEN_REFRESH_ATTEMPTS in a
   * row, and with any error of the source.
   */
  refresh(refused: string): Promise<string>;
  /** The user's token; undefined before the first is loaded. */
  readonly current: string | undefined;
  /** Makes the next call read the source again: the user may have signed in since. */
  reload(): void;
  /** Reads the source now; false when the token is unchanged. Rejects as the source does. */
  fetchNewer(): Promise<boolean>;
  /** A call succeeded with this token: resets the failure counter. */
  markWorking(token: string): void;
}

interface TokenDeps {
  clock: Clock;
  random: Random;
  secret?: string | undefined;
  /** The provider's time, milliseconds: a source that signs tokens needs it. */
  now(): number;
}

/** The token of the current user, loaded once for all waiting calls. */
class UserToken {
  readonly #now: () => number;
  userId: string | undefined;
  current: string | undefined;
  /** Incremented by every `set`, so that a token loaded for an earlier user is dropped. */
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

  /** Rejects with `SignInNeeded` when the source returns no token of this user, and as the source does. */
  async fetch(): Promise<string> {
    const { generation, userId } = this;
    const token = await this.#read();
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
    const started: Promise<string> = (this.#loading ??= this.fetch().finally(() => {
      if (this.#loading === started) this.#loading = undefined;
    }));
    return started;
  }

  async #read(): Promise<string | undefined> {
    const source = this.#source;
    return typeof source === "function" ? source(this.#now()) : source;
  }
}

/** Renews refused tokens: once for all waiting calls, with back-off, and only so many times in a row. */
class Renewal {
  readonly #deps: TokenDeps;
  readonly #user: UserToken;
  #pending: Promise<string> | undefined;
  #failures = 0;

  constructor(deps: TokenDeps, user: UserToken) {
    this.#deps = deps;
    this.#user = user;
  }

  reset(): void {
    this.#pending = undefined;
    this.#failures = 0;
  }

  resetFailures(): void {
    this.#failures = 0;
  }

  start(refused: string): Promise<string> {
    const started: Promise<string> = (this.#pending ??= this.#renew(refused).finally(() => {
      if (this.#pending === started) this.#pending = undefined;
    }));
    return started;
  }

  async #renew(refused: string): Promise<string> {
    const { clock, random } = this.#deps;
    const { generation } = this.#user;
    this.#failures += 1;
    if (this.#failures > TOKEN_REFRESH_ATTEMPTS)
      throw new SignInNeeded(
        `The token was refused ${TOKEN_REFRESH_ATTEMPTS} times after being renewed: sign in again`,
      );
    if (this.#failures > 1) await wait(clock, delay(this.#failures, random.float()));
    if (generation !== this.#user.generation) throw new SignInNeeded(NOT_CONNECTED);
    const token = await this.#user.fetch();
    if (token === refused) throw new SignInNeeded("There is no newer token: sign in again", true);
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
    refresh(refused) {
      if (user.current !== undefined && user.current !== refused) return Promise.resolve(user.current);
      return renewal.start(refused);
    },
    reload() {
      user.current = undefined;
      renewal.resetFailures();
    },
    async fetchNewer() {
      const before = user.current;
      return (await user.fetch()) !== before;
    },
    markWorking(token) {
      if (token === user.current) renewal.resetFailures();
    },
  };
}
