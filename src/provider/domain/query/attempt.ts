/** Runs one part of a job that may fail alone: its writes and events all take effect, or none do. */
import type { RouteCall } from "../../base/handler.ts";
import type { Emit } from "../../base/emit.ts";

type JobContext = Pick<RouteCall, "db" | "emit">;

/** Holds back events until they are released; queries are answered at once. */
function deferredEmit(emit: Emit): { deferred: Emit; release(): void } {
  const calls: (() => void)[] = [];
  const deferred: Emit = {
    watchers: (...args) => void calls.push(() => emit.watchers(...args)),
    membersNotWatching: (...args) => void calls.push(() => emit.membersNotWatching(...args)),
    user: (...args) => void calls.push(() => emit.user(...args)),
    server: (...args) => void calls.push(() => emit.server(...args)),
    presence: (...args) => void calls.push(() => emit.presence(...args)),
    disconnect: (...args) => void calls.push(() => emit.disconnect(...args)),
    endWatch: (...args) => void calls.push(() => emit.endWatch(...args)),
    subscribePresence: (...args) => void calls.push(() => emit.subscribePresence(...args)),
    // A job has no connection that could watch.
    watch: () => false,
    unwatch: () => false,
    watcherInfo: (cid) => emit.watcherInfo(cid),
    isOpen: (connectionId, userId) => emit.isOpen(connectionId, userId),
    online: (userId) => emit.online(userId),
  };
  return { deferred, release: () => calls.forEach((emitCall) => emitCall()) };
}

/** Runs `part` in a savepoint with a separate `emit`; returns its value, or the error after everything was undone. */
export function attemptPart<T>(
  { db, emit }: JobContext,
  part: (emit: Emit) => T,
): { value: T } | { thrown: unknown } {
  const { deferred, release } = deferredEmit(emit);
  db.prepare("SAVEPOINT part").run();
  let value: T;
  try {
    value = part(deferred);
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
