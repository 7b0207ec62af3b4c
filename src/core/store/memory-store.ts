/** A store in memory with the same tables, for tests and for runs whose files cannot be opened. */
import { openCacheDb } from "./cache-db.ts";
import { joinStores } from "./join-stores.ts";
import { IN_MEMORY } from "./file.ts";
import { openStateDb } from "./state-db.ts";
import type { Store } from "./store.ts";

/** A file of its own, so that a run without a store on disk does not load what opens one. `userId` as in open-store.ts. */
export function createMemoryStore(userId?: string): Store {
  const now = (): number => Date.now();
  return joinStores(
    openStateDb(IN_MEMORY, now),
    openCacheDb(":memory:", now, () => userId),
  );
}
