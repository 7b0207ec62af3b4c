/** Copies state changes to the cache in batches, so that the screen never waits for the disk. */
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import { errorMessage } from "../../model/errors.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { StateChange } from "../state/change.ts";
import type { Store } from "./store.ts";

/** Milliseconds that writes are collected. */
const COLLECT_MS = 200;
/** Most waiting events: of a flood the cache keeps no more, and waiting events take memory. */
const MAX_WAITING = 256;

export interface CacheWriter {
  change(change: StateChange): void;
  events(events: readonly AnyEvent[]): void;
  /** Runs after the waiting writes, in the same batch. */
  after(run: () => void): void;
  flush(): void;
}

interface CacheWriterDeps {
  store: Store;
  /** Whether the loaded channel is stale: then new messages must not follow its page (D6). */
  isBehind(cid: string): boolean;
  clock: Clock;
  log: Log;
  /** The disk fails, or works again (undefined). */
  storage(fault: string | undefined): void;
}

/** Collects writes for the cache; a failing disk is reported once. */
class BatchedWrites {
  readonly #deps: CacheWriterDeps;
  #work: (() => void)[] = [];
  #events = 0;
  #timer: Timer | undefined;
  #faulty = false;

  constructor(deps: CacheWriterDeps) {
    this.#deps = deps;
  }

  /** `events`: their number in this write. The cache drops the excess of a flood and buffers again before it writes. */
  later(run: () => void, events = 0): void {
    this.#work.push(run);
    this.#timer ??= this.#deps.clock.setTimeout(() => this.flush(), COLLECT_MS);
    this.#events += events;
    if (this.#events >= MAX_WAITING) this.flush();
  }

  flush(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#work;
    this.#work = [];
    this.#events = 0;
    if (batch.length === 0) return;
    try {
      for (const run of batch) run();
      if (this.#faulty) this.#deps.storage(undefined);
      this.#faulty = false;
    } catch (error) {
      const reason = errorMessage(error);
      this.#deps.log.warn("the cache could not be written", { error: reason });
      if (!this.#faulty) this.#deps.storage(reason);
      this.#faulty = true;
    }
  }
}

export function createCacheWriter(deps: CacheWriterDeps): CacheWriter {
  const { cache } = deps.store;
  const work = new BatchedWrites(deps);
  const messages = (list: Message[]): void => {
    if (list.length) work.later(() => cache.saveMessages(list));
  };
  /** `limit`: messages asked for of each; a page with fewer begins with the first message there is, and nothing older stays. */
  const channels = (states: ChannelState[], limit: number): void => {
    if (states.length === 0) return;
    work.later(() => {
      cache.saveChannels(states);
      for (const { channel, messages } of states)
        if (messages.length < limit && messages[0]) cache.dropOlder(channel.cid, messages[0]);
    });
  };
  /** A hidden channel is loaded anew at each start: the recovery, whose answers leave it out, could not tell that it is gone. */
  const isStored = ({ channel: { cid, hidden }, hidden: isHidden = hidden }: ChannelState): boolean =>
    isHidden !== true && !deps.isBehind(cid);
  const me = (own: OwnUser): void => work.later(() => cache.saveMe(own));

  return {
    change(change) {
      switch (change.kind) {
        case "me":
          return change.me && me(change.me);
        case "channels":
          return channels(change.states.filter(isStored), change.messageLimit);
        case "page":
          return messages(change.messages);
        case "message":
          return messages([change.message]);
        case "dropOlder":
          return work.later(() => cache.dropOlder(change.cid, change.from));
        case "stale":
          return work.later(() => cache.interrupted());
        case "unavailable":
          return work.later(() => {
            for (const cid of change.cids) cache.dropChannel(cid);
          });
      }
    },
    events(events) {
      const batch = [...events];
      work.later(() => cache.note(batch), batch.length);
    },
    after: (run) => work.later(run),
    flush: () => work.flush(),
  };
}
