/** The provider time up to which everything was received, kept over runs so that the next one syncs from there (D6, specification/realtime.md §9). */
import type { CacheWriter } from "../store/cache-writer.ts";
import type { Log } from "../base/ports.ts";
import type { Store } from "../store/store.ts";

const CHECKPOINT = "sync.checkpoint";

export interface Checkpoint {
  /** What the last run left. */
  readonly kept: string | undefined;
  /** The first channels came in. A process that is killed leaves them in the cache, and the next one has to know since when. */
  begin(): void;
  /** The link changed, or the run ends. */
  keep(): void;
}

export function createCheckpoint({
  store,
  cache,
  log,
  seen,
}: {
  store: Pick<Store, "get" | "set">;
  cache: Pick<CacheWriter, "after" | "flush">;
  log: Log;
  /** Undefined while it is not known. */
  seen(): string | undefined;
}): Checkpoint {
  const kept = store.get<string>(CHECKPOINT);
  let begun = kept !== undefined;
  return {
    kept,
    begin() {
      const time = begun ? undefined : seen();
      if (time === undefined) return;
      begun = true;
      cache.after(() => store.set(CHECKPOINT, time));
    },
    keep() {
      const time = seen();
      if (time === undefined) return;
      try {
        // What was seen must be on disk before it counts as seen.
        cache.flush();
        store.set(CHECKPOINT, time);
      } catch (error) {
        log.warn("the checkpoint could not be kept", { error: String(error) });
      }
    },
  };
}
