/** While the credentials are refused: looks whether somebody has signed in elsewhere meanwhile. */
import type { Clock, Timer } from "../ports.ts";

/** Milliseconds between two looks at what is stored. */
const LOOK = 2000;

export interface SignInWorld {
  clock: Clock;
  /** The link still waits for a sign-in. */
  waits(): boolean;
  /** Takes the token that the source gives now; false when it is the refused one. */
  newer(): Promise<boolean>;
  /** There is another token. */
  found(): void;
}

export interface SignIn {
  begin(): void;
  stop(): void;
}

export function watchSignIn(world: SignInWorld): SignIn {
  const { clock } = world;
  let timer: Timer | undefined;

  const look = async (): Promise<void> => {
    if (!world.waits()) return;
    // A token of somebody else, or none at all, is not what is waited for.
    const other = await world.newer().catch(() => false);
    if (!world.waits()) return;
    if (other) return world.found();
    begin();
  };
  const begin = (): void => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void look(), LOOK);
  };
  return { begin, stop: () => clock.clearTimeout(timer) };
}
