/** Starts core from what is on disk, signs its user out, and closes it: first everything is written, then the parts forget it. */
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
  /** What is kept is forgotten here; another user may connect then. */
  disconnectUser(): Promise<void>;
  /** Releases timers, sockets and files; outbox rows stay. */
  close(): Promise<void>;
}

interface LifecycleDeps {
  bus: Bus;
  /** What fails only after the end waits for nothing. */
  endClock(): void;
  store: Store;
  cache: Pick<CacheWriter, "flush">;
  /** Of which nothing is told: what goes on disk came from there. */
  silent: Pick<StateMachine, "apply" | "close">;
  checkpoint: Pick<Checkpoint, "keep">;
  realtime: Pick<Realtime, "connection" | "disconnectUser">;
  outbox: Pick<Outbox, "resume" | "close">;
  composers: Pick<ComposerRegistry, "flush">;
}

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { bus, store, silent, checkpoint, realtime, outbox } = deps;

  /** Drafts go out while the link still stands; one that is not open would be waited for. */
  async function signOut(): Promise<void> {
    await deps.composers.flush(["open", "idle"].includes(realtime.connection.state().phase));
    await realtime.disconnectUser();
  }

  return {
    restore() {
      const me = store.cache.me();
      silent.apply({ kind: "restored", ...(me && { me }), states: store.cache.channels(MESSAGE_PAGE) });
      outbox.resume();
    },
    async disconnectUser() {
      checkpoint.keep();
      await signOut();
      bus.tell("forget");
      silent.apply({ kind: "me", me: undefined });
      silent.apply({ kind: "reset" });
    },
    async close() {
      try {
        checkpoint.keep();
        await outbox.close();
        await signOut();
        bus.tell("close");
        bus.tell("forget");
        deps.cache.flush();
        silent.close();
        store.close();
      } finally {
        deps.endClock();
      }
    },
  };
}
