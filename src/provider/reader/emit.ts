/** The `Emit` of a reading thread: asks the main thread who watches; emitting throws. */
import type { Emit } from "../base/emit.ts";
import type { Job, Watching } from "./job.ts";

export type AskWatching = (cids: readonly string[], watch: boolean) => Record<string, Watching>;

const unsupported = (what: string) => (): never => {
  throw new Error(`a reading thread cannot ${what}`);
};

interface ReadingEmit extends Emit {
  /** Users whose presence the connection subscribes to. */
  readonly presenceOf: Set<string>;
}

export function readingEmit(job: Job, ask: AskWatching): ReadingEmit {
  const online = new Set(job.online);
  const loaded = new Map<string, Watching>();
  const load = (cids: readonly string[], watch: boolean): void => {
    for (const [cid, watching] of Object.entries(ask(cids, watch))) loaded.set(cid, watching);
  };
  const presenceOf = new Set<string>();
  return {
    presenceOf,
    watchers: unsupported("tell watchers"),
    membersNotWatching: unsupported("tell members"),
    user: unsupported("tell a user"),
    server: unsupported("tell servers"),
    presence: unsupported("tell of presence"),
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
    watching(cid) {
      if (!loaded.has(cid)) load([cid], false);
      return loaded.get(cid) ?? { userIds: [], count: 0 };
    },
    isOpen: (connectionId, userId) =>
      job.open && connectionId === job.call.connectionId && (job.call.caller.userId ?? "!anon") === userId,
    online: (userId) => online.has(userId),
  };
}
