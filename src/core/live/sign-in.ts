/** Notices, while the credentials are refused, that somebody has signed in elsewhere. */
import type { Clock, Timer } from "../base/ports.ts";

/** Milliseconds between two looks at what is stored. */
const LOOK = 2000;

interface SignInDeps {
  clock: Clock;
  /** The link still waits for a sign-in. */
  waits(): boolean;
  /** Takes the token that the source gives now; false when it is the refused one. */
  newer(): Promise<boolean>;
  /** There is another token. */
  found(): void;
}

export interface SignInWatch {
  begin(): void;
  stop(): void;
}

export function watchSignIn(deps: SignInDeps): SignInWatch {
  const { clock } = deps;
  let timer: Timer | undefined;

  const look = async (): Promise<void> => {
    if (!deps.waits()) return;
    // A token of somebody else, or none at all, is not what is waited for.
    const other = await deps.newer().catch(() => false);
    if (!deps.waits()) return;
    if (other) return deps.found();
    begin();
  };
  const begin = (): void => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void look(), LOOK);
  };
  return { begin, stop: () => clock.clearTimeout(timer) };
}
