/** The `Emit` of a reading thread: fetches the watchers from the main thread; emitting throws. */
import type { Emit } from "../base/emit.ts";
import type { Job, WatcherInfo } from "./job.ts";

export type FetchWatchers = (cids: readonly string[], watch: boolean) => Record<string, WatcherInfo>;

const unsupported = (what: string) => (): never => {
  throw new Error(`a reading thread cannot ${what}`);
};

interface ReadingEmit extends Emit {
  /** Users whose presence the connection subscribes to. */
  readonly presenceOf: Set<string>;
}

export function readingEmit(job: Job, fetchWatchers: FetchWatchers): ReadingEmit {
  const online = new Set(job.online);
  const cache = new Map<string, WatcherInfo>();
  const load = (cids: readonly string[], watch: boolean): void => {
    for (const [cid, info] of Object.entries(fetchWatchers(cids, watch))) cache.set(cid, info);
  };
  const presenceOf = new Set<string>();
  return {
    presenceOf,
    watchers: unsupported("notify watchers"),
    membersNotWatching: unsupported("notify members"),
    user: unsupported("notify a user"),
    server: unsupported("notify servers"),
    presence: unsupported("publish presence"),
    unwatch: unsupported("end watching"),
    endWatch: unsupported("end watching"),
    disconnect: unsupported("end connections"),
    loadWatchers: load,
    // The main thread emits the event for other watchers, because it has the connections.
    watch(_connectionId, cid) {
      load([cid], true);
      return false;
    },
    subscribePresence(_connectionId, userIds) {
      for (const id of userIds) presenceOf.add(id);
    },
    watcherInfo(cid) {
      if (!cache.has(cid)) load([cid], false);
      return cache.get(cid) ?? { userIds: [], count: 0 };
    },
    isOpen: (connectionId, userId) =>
      job.open && connectionId === job.call.connectionId && (job.call.caller.userId ?? "!anon") === userId,
    online: (userId) => online.has(userId),
  };
}
