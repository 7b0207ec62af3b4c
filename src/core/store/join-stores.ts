/** Joins state.db and cache.db into one store. */
import type { Message } from "../../wire/entities/message.ts";
import type { openCacheDb } from "./cache-db.ts";
import type { openStateDb } from "./state-db.ts";

/** An acknowledged row is removed only after the provider's copy was given to the cache. */
export function joinStores(state: ReturnType<typeof openStateDb>, cache: ReturnType<typeof openCacheDb>) {
  return {
    ...state,
    settle(seq: number, copy?: Message): void {
      if (copy) cache.saveMessages([copy]);
      state.settle(seq);
    },
    cache,
    close(): void {
      cache.close();
      state.close();
    },
  };
}
