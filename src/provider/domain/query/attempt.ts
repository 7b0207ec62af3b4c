/** Runs one part of a job that may fail alone: its writes and events are kept together or not at all. */
import type { RouteCall } from "../../base/handler.ts";
import type { Emit } from "../../base/emit.ts";

type Ground = Pick<RouteCall, "db" | "emit">;

/** Keeps what is told until it is known that it happened. Questions are answered at once. */
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
    // A job has no connection of its own that could watch.
    watch: () => false,
    unwatch: () => false,
    watching: (cid) => emit.watching(cid),
    isOpen: (connectionId, userId) => emit.isOpen(connectionId, userId),
    online: (userId) => emit.online(userId),
  };
  return { held, release: () => told.forEach((tell) => tell()) };
}

/** Runs `part` with an `emit` of its own; answers its value, or what it threw after everything of it was undone. */
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
    // A full disk ends the whole transaction, and then there is nothing left to go on with.
    if (!db.raw.isTransaction) throw thrown;
    db.prepare("ROLLBACK TO part").run();
    db.prepare("RELEASE part").run();
    return { thrown };
  }
  release();
  return { value };
}
