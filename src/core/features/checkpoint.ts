/** Stores the provider time up to which everything was received, so that the next run syncs from there (D6, specification/realtime.md §9). */
import type { CacheWriter } from "../store/cache-writer.ts";
import type { Log } from "../base/ports.ts";
import type { Store } from "../store/store.ts";

const CHECKPOINT = "sync.checkpoint";

export interface Checkpoint {
  readonly stored: string | undefined;
  /** Stores a first checkpoint when the first channels arrive: if the process is killed, the next one needs it for the cached channels. */
  begin(): void;
  /** Called when the connection changes and when the run ends. */
  save(): void;
}

export function createCheckpoint({
  store,
  cache,
  log,
  currentTime,
}: {
  store: Pick<Store, "get" | "set">;
  cache: Pick<CacheWriter, "after" | "flush">;
  log: Log;
  currentTime(): string | undefined;
}): Checkpoint {
  const stored = store.get<string>(CHECKPOINT);
  let hasBegun = stored !== undefined;
  return {
    stored,
    begin() {
      const time = hasBegun ? undefined : currentTime();
      if (time === undefined) return;
      hasBegun = true;
      cache.after(() => store.set(CHECKPOINT, time));
    },
    save() {
      const time = currentTime();
      if (time === undefined) return;
      try {
        // Received data must be on disk before the checkpoint covers it.
        cache.flush();
        store.set(CHECKPOINT, time);
      } catch (error) {
        log.warn("the checkpoint could not be stored", { error: String(error) });
      }
    },
  };
}
