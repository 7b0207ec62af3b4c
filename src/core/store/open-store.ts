/** Opens the store of a profile and user: state.db for data that must not be lost, cache.db for data that can be fetched again. */
import { openCacheDb } from "./cache-db.ts";
import { joinStores } from "./join-stores.ts";
import { openStateDb, type StateDb } from "./state-db.ts";
import type { Store } from "./store.ts";

interface StorePlaces {
  /** Path of state.db; missing folders are created with mode 0700. */
  state: string;
  cache: string;
  /** The user of the cache, needed for their own reactions. */
  userId?: string;
}

/**
 * Throws `StoreFailure` when state.db cannot be opened; a damaged one is moved aside and replaced by a copy of its readable rows.
 * A cache that cannot be opened is rebuilt, or kept in memory for this run.
 */
export function openStore(
  places: StorePlaces,
): Store & Pick<StateDb, "movedTo" | "saved" | "wasEmpty"> & { cacheProblem: string | undefined } {
  const now = (): number => Date.now();
  const state = openStateDb(places.state, now);
  const cache = openCacheDb(places.cache, now, () => places.userId);
  return { ...joinStores(state, cache), cacheProblem: cache.problem };
}
