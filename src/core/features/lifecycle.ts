/** Restores core from the cache, signs the user out, and closes core: everything is saved before the parts are reset. */
import { MESSAGE_PAGE } from "../../wire/constants.ts";
import type { Bus } from "../base/bus.ts";
import type { ComposerRegistry } from "../composer/composer-registry.ts";
import type { Realtime } from "../live/realtime.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { StateMachine } from "../state/machine.ts";
import type { CacheWriter } from "../store/cache-writer.ts";
import type { Store } from "../store/store.ts";
import type { Checkpoint } from "./checkpoint.ts";

export interface Lifecycle {
  /** Fills the state from the cache, before any network. */
  restore(): void;
  /** Clears the state; another user may connect afterwards. */
  disconnectUser(): Promise<void>;
  /** Releases timers, sockets and files; outbox rows stay on disk. */
  close(): Promise<void>;
}

interface LifecycleDeps {
  bus: Bus;
  /** Clears all timers, including those set during closing. */
  closeClock(): void;
  store: Store;
  cache: Pick<CacheWriter, "flush">;
  /** Without side effects: restored data came from the cache. */
  stateWithoutEffects: Pick<StateMachine, "apply" | "close">;
  checkpoint: Pick<Checkpoint, "save">;
  realtime: Pick<Realtime, "connection" | "disconnectUser">;
  outbox: Pick<Outbox, "resume" | "close">;
  composers: Pick<ComposerRegistry, "flush">;
}

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { bus, store, stateWithoutEffects, checkpoint, realtime, outbox } = deps;

  /** Drafts are sent while the connection is still open; one that is not open would make the flush wait. */
  async function signOut(): Promise<void> {
    await deps.composers.flush(["open", "idle"].includes(realtime.connection.state().phase));
    await realtime.disconnectUser();
  }

  return {
    restore() {
      const me = store.cache.me();
      stateWithoutEffects.apply({
        kind: "restored",
        ...(me && { me }),
        states: store.cache.channels(MESSAGE_PAGE),
      });
      outbox.resume();
    },
    async disconnectUser() {
      checkpoint.save();
      await signOut();
      bus.emit("reset");
      stateWithoutEffects.apply({ kind: "me", me: undefined });
      stateWithoutEffects.apply({ kind: "reset" });
    },
    async close() {
      try {
        checkpoint.save();
        await outbox.close();
        await signOut();
        bus.emit("close");
        bus.emit("reset");
        deps.cache.flush();
        stateWithoutEffects.close();
        store.close();
      } finally {
        deps.closeClock();
      }
    },
  };
}
