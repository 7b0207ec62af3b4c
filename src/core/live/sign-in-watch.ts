/** Detects a sign-in by another process while the credentials are refused. */
import type { Clock, Timer } from "../base/ports.ts";

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
