/** The event port of a reading thread: asks the main thread who is connected; nothing can be emitted. */
import type { Emit } from "../base/emit.ts";
import type { Job, Watching } from "./job.ts";

/** Asks the thread with the connections, and waits. */
export type AskWatching = (cids: readonly string[], watch: boolean) => Record<string, Watching>;

const never = (what: string) => (): never => {
  throw new Error(`a reading thread cannot ${what}`);
};

interface ReadingEmit extends Emit {
  /** Whose presence the connection is to be told. */
  readonly presenceOf: Set<string>;
}

export function readingEmit(job: Job, ask: AskWatching): ReadingEmit {
  const online = new Set(job.online);
  const known = new Map<string, Watching>();
  const learn = (cids: readonly string[], watch: boolean): void => {
    for (const [cid, watching] of Object.entries(ask(cids, watch))) known.set(cid, watching);
  };
  const presenceOf = new Set<string>();
  return {
    presenceOf,
    watchers: never("tell watchers"),
    membersNotWatching: never("tell members"),
    user: never("tell a user"),
    server: never("tell servers"),
    presence: never("tell of presence"),
    unwatch: never("end watching"),
    endWatch: never("end watching"),
    disconnect: never("end connections"),
    loadWatchers: learn,
    // The main thread, which has the connections, tells the others.
    watch(_connectionId, cid) {
      learn([cid], true);
      return false;
    },
    subscribePresence(_connectionId, userIds) {
      for (const id of userIds) presenceOf.add(id);
    },
    watching(cid) {
      if (!known.has(cid)) learn([cid], false);
      return known.get(cid) ?? { userIds: [], count: 0 };
    },
    isOpen: (connectionId, userId) =>
      job.open && connectionId === job.call.connectionId && (job.call.caller.userId ?? "!anon") === userId,
    online: (userId) => online.has(userId),
  };
}
