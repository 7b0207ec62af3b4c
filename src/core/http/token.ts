/** Whose token goes on a call and how an expired one is replaced: one refresh for all who wait (specification/auth.md §8). */
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
  readonly anonymous: boolean;
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

export interface TokenDeps {
  clock: Clock;
  random: Random;
  secret?: string | undefined;
  /** The provider's time, milliseconds: what a source mints must be good there. */
  now(): number;
}

export function createTokens(deps: TokenDeps): Tokens {
  let userId: string | undefined;
  let source: TokenSource | undefined;
  let current: string | undefined;
  let loading: Promise<string> | undefined;
  let flight: Promise<string> | undefined;
  let failures = 0;
  /** Grows with every set and clear, so that an answer for a former user is dropped. */
  let generation = 0;

  const given = async (): Promise<string | undefined> =>
    typeof source === "function" ? source(deps.now()) : source;
  const ask = async (): Promise<string> => {
    const asked = generation;
    const token = await given();
    if (asked !== generation) throw new SignInNeeded(NOT_CONNECTED);
    if (typeof token !== "string" || token === "")
      throw new SignInNeeded(`The token of ${userId} is empty: sign in again`);
    const claimed = readToken(token)?.claims.user_id;
    if (claimed !== userId) throw new SignInNeeded(`User token does not belong to user ${userId}`);
    current = token;
    return token;
  };
  const load = (): Promise<string> => {
    if (current !== undefined) return Promise.resolve(current);
    const started: Promise<string> = (loading ??= ask().finally(() => {
      if (loading === started) loading = undefined;
    }));
    return started;
  };
  const renew = async (spent: string): Promise<string> => {
    const asked = generation;
    failures += 1;
    if (failures > TOKEN_REFRESH_ATTEMPTS)
      throw new SignInNeeded(
        `The token was refused ${TOKEN_REFRESH_ATTEMPTS} times after being renewed: sign in again`,
      );
    if (failures > 1) await wait(deps.clock, delay(failures, deps.random.float()));
    if (asked !== generation) throw new SignInNeeded(NOT_CONNECTED);
    const token = await ask();
    if (token === spent) throw new SignInNeeded("There is no newer token: sign in again", true);
    return token;
  };

  return {
    get userId() {
      return userId;
    },
    get anonymous() {
      return userId === ANONYMOUS_ID;
    },
    hasSecret: deps.secret !== undefined,
    get current() {
      return current;
    },
    get refreshable() {
      return typeof source === "function";
    },
    set(id, from) {
      generation += 1;
      userId = id;
      source = from;
      current = loading = flight = undefined;
      failures = 0;
    },
    clear() {
      generation += 1;
      userId = source = current = loading = flight = undefined;
      failures = 0;
    },
    async credential(server = false) {
      if (deps.secret !== undefined && (server || userId === undefined))
        return { token: signToken({ server: true }, deps.secret), authType: "jwt" };
      if (userId === undefined) throw new SignInNeeded(NOT_CONNECTED);
      if (userId === ANONYMOUS_ID) return { token: "", authType: "anonymous", userId };
      const owner = userId;
      return { token: await load(), authType: "jwt", userId: owner };
    },
    refresh(spent) {
      if (current !== undefined && current !== spent) return Promise.resolve(current);
      const started: Promise<string> = (flight ??= renew(spent).finally(() => {
        if (flight === started) flight = undefined;
      }));
      return started;
    },
    again() {
      current = undefined;
      failures = 0;
    },
    async newer() {
      const before = current;
      return (await ask()) !== before;
    },
    worked(token) {
      if (token === current) failures = 0;
    },
  };
}
