/** Copies what the state takes in to the rebuildable cache, a moment later and together, so that the screen never waits for the disk. */
import type { ChannelState } from "../../wire/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/message.ts";
import type { OwnUser } from "../../wire/user.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { StateChange } from "../state/change.ts";
import type { Store } from "./store.ts";

/** Milliseconds in which writes gather. */
const GATHER = 200;
/** Events that wait at most: the cache keeps no more of a flood, and what waits is kept alive for nothing. */
const WAITING = 256;

export interface CacheWriter {
  change(change: StateChange): void;
  events(events: readonly AnyEvent[]): void;
  /** Runs with what has gathered, after it. */
  after(run: () => void): void;
  /** Writes what has gathered, now. */
  flush(): void;
}

export function createCacheWriter(deps: {
  store: Store;
  /** Whether what is held of the channel is behind: then nothing may follow on a page of it (D6). */
  isBehind(cid: string): boolean;
  clock: Clock;
  log: Log;
  /** The disk refused, or works again (undefined). */
  storage(fault: string | undefined): void;
}): CacheWriter {
  const { store, clock, log } = deps;
  let work: (() => void)[] = [];
  let timer: Timer | undefined;
  let waiting = 0;
  let faulty = false;

  const flush = (): void => {
    clock.clearTimeout(timer);
    timer = undefined;
    const batch = work;
    work = [];
    waiting = 0;
    if (batch.length === 0) return;
    try {
      for (const run of batch) run();
      if (faulty) deps.storage(undefined);
      faulty = false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown error";
      log.warn("the cache could not be written", { error: reason });
      if (!faulty) deps.storage(reason);
      faulty = true;
    }
  };
  const later = (run: () => void): void => {
    work.push(run);
    timer ??= clock.setTimeout(flush, GATHER);
  };
  const me = (own: OwnUser): void => later(() => store.cache.saveMe(own));
  const channels = (states: ChannelState[]): void => {
    if (states.length) later(() => store.cache.saveChannels(states));
  };
  const messages = (list: Message[]): void => {
    if (list.length) later(() => store.cache.saveMessages(list));
  };

  return {
    change(change) {
      switch (change.kind) {
        case "me":
          return change.me && me(change.me);
        case "channels":
          return channels(change.states.filter(({ channel }) => !deps.isBehind(channel.cid)));
        case "page":
          return messages(change.messages);
        case "message":
          return messages([change.message]);
        case "stale":
          return later(() => store.cache.interrupted());
        case "unavailable":
          return later(() => {
            for (const cid of change.cids) store.cache.dropChannel(cid);
          });
      }
    },
    events(events) {
      const kept = [...events];
      later(() => store.cache.note(kept));
      // The cache sorts out what a flood is worth and gathers once more before it touches the disk.
      waiting += kept.length;
      if (waiting >= WAITING) flush();
    },
    after: later,
    flush,
  };
}
