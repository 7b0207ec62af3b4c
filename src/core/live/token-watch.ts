/** Renews the token of an open connection before it expires, and looks for a sign-in while the credentials are refused. */
import type { Clock, Timer } from "../base/ports.ts";

/** How long before its expiry a token is renewed at most, milliseconds: longer than a long poll takes. */
const MAX_AHEAD = 60_000;
/** A short-lived token is renewed when a fifth of its lifetime remains. */
const LIFETIME_SHARE = 5;
/** Least pause between two tries, milliseconds. */
const MIN_PAUSE = 2000;
/** Longest timer, milliseconds: checks again after the machine slept. */
const MAX_TIMER = 3_600_000;

interface ExpiryDeps {
  clock: Clock;
  /** The provider's time, milliseconds. */
  now(): number;
  /** Fetches a newer token and uses it; called repeatedly until the expiry changes. */
  renew(): Promise<void>;
}

export interface Expiry {
  /** The connection's token expires then; undefined = nothing to renew. */
  watch(ends: number | undefined): void;
  /** The offset of the provider's clock has changed. */
  clockChanged(): void;
  stop(): void;
}

export function watchExpiry(deps: ExpiryDeps): Expiry {
  const { clock } = deps;
  let ends: number | undefined;
  /** By the provider's clock. */
  let due = 0;
  let timer: Timer | undefined;

  const schedule = (): void => {
    clock.clearTimeout(timer);
    if (ends === undefined) return;
    timer = clock.setTimeout(check, Math.min(MAX_TIMER, Math.max(0, due - deps.now())));
  };
  const check = (): void => {
    if (ends === undefined) return;
    const left = ends - deps.now();
    if (due > deps.now()) return schedule();
    // Expired: the provider closes the connection, and the next attempt renews the token.
    if (left <= 0) return;
    due = deps.now() + Math.max(MIN_PAUSE, left / 2);
    schedule();
    deps.renew().catch(() => undefined);
  };

  return {
    watch(end) {
      ends = end;
      if (end !== undefined) due = end - Math.min(MAX_AHEAD, Math.max(0, end - deps.now()) / LIFETIME_SHARE);
      schedule();
    },
    clockChanged: schedule,
    stop() {
      ends = undefined;
      clock.clearTimeout(timer);
    },
  };
}

/** Milliseconds between two checks of the stored token. */
const CHECK_MS = 2000;

interface SignInDeps {
  clock: Clock;
  /** The connection still waits for a sign-in. */
  isWaiting(): boolean;
  /** Loads the token from its source; false when it is the refused one. */
  fetchNewer(): Promise<boolean>;
  found(): void;
}

export interface SignInWatch {
  begin(): void;
  stop(): void;
}

export function watchSignIn(deps: SignInDeps): SignInWatch {
  const { clock } = deps;
  let timer: Timer | undefined;

  const check = async (): Promise<void> => {
    if (!deps.isWaiting()) return;
    // It rejects without a token, or with the token of another user.
    const other = await deps.fetchNewer().catch(() => false);
    if (!deps.isWaiting()) return;
    if (other) return deps.found();
    begin();
  };
  const begin = (): void => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void check(), CHECK_MS);
  };
  return { begin, stop: () => clock.clearTimeout(timer) };
}
