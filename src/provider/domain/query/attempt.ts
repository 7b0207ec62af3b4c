/** Runs one part of a job that may fail alone: its writes and events all take effect, or none do. */
import type { RouteCall } from "../../base/handler.ts";
import type { Emit } from "../../base/emit.ts";

type Ground = Pick<RouteCall, "db" | "emit">;

/** Holds back events until they are released; queries are answered at once. */
function holding(emit: Emit): { held: Emit; release(): void } {
  const told: (() => void)[] = [];
  const held: Emit = {
    watchers: (...given) => void told.push(() => emit.watchers(...given)),
    membersNotWatching: (...given) => void told.push(() => emit.membersNotWatching(...given)),
    user: (...given) => void told.push(() => emit.user(...given)),
    server: (...given) => void told.push(() => emit.server(...given)),
    presence: (...given) => void told.push(() => emit.presence(...given)),
    disconnect: (...given) => void told.push(() => emit.disconnect(...given)),
    endWatch: (...given) => void told.push(() => emit.endWatch(...given)),
    subscribePresence: (...given) => void told.push(() => emit.subscribePresence(...given)),
    // A job has no connection that could watch.
    watch: () => false,
    unwatch: () => false,
    watching: (cid) => emit.watching(cid),
    isOpen: (connectionId, userId) => emit.isOpen(connectionId, userId),
    online: (userId) => emit.online(userId),
  };
  return { held, release: () => told.forEach((tell) => tell()) };
}

/** Runs `part` in a savepoint with a separate `emit`; returns its value, or the error after everything was undone. */
export function attemptPart<T>(
  { db, emit }: Ground,
  part: (emit: Emit) => T,
): { value: T } | { thrown: unknown } {
  const { held, release } = holding(emit);
  db.prepare("SAVEPOINT part").run();
  let value: T;
  try {
    value = part(held);
    db.prepare("RELEASE part").run();
  } catch (thrown) {
    // An error such as a full disk ends the whole transaction, so there is nothing to continue.
    if (!db.raw.isTransaction) throw thrown;
    db.prepare("ROLLBACK TO part").run();
    db.prepare("RELEASE part").run();
    return { thrown };
  }
  release();
  return { value };
}
