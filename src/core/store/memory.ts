/** A store in memory, for tests and for runs whose files cannot be opened. */
import { openCacheDb } from "./cache-db.ts";
import { joinStores } from "./join-stores.ts";
import { openStateDb } from "./state-db.ts";
import type { Store } from "./store.ts";

/** The same tables as on disk; `userId` as in open-store.ts. */
export function createMemoryStore(userId?: string): Store {
  const now = (): number => Date.now();
  const state = openStateDb(":memory:", now);
  const cache = openCacheDb(":memory:", now, () => userId);
  return joinStores(state, cache);
}
