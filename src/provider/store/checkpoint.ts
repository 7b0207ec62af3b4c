/** Empties the write-ahead log soon after a deletion, because it keeps freed pages as they were (specification/embedded-provider.md §5). */
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import { forgetFreedContent, hasFreedContent, isErasing } from "./erasures.ts";
import { usesWriteAheadLog } from "./open.ts";

/** After the last deletion, and between two tries; milliseconds. */
const PAUSE_MS = 300;

interface CheckpointContext {
  db: Database;
  clock: ProviderClock;
  /** Runs in a separate transaction. */
  transact(run: () => void): void;
  reportError(error: unknown): void;
}

/** True when the log is empty; false while a reader still needs it. */
function emptyLog({ raw }: Database): boolean {
  // Not waiting for readers, which would block every caller.
  raw.exec("PRAGMA busy_timeout = 0");
  try {
    return (raw.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number }).busy === 0;
  } finally {
    raw.exec("PRAGMA busy_timeout = 100");
  }
}

export class Checkpoints {
  readonly #context: CheckpointContext;
  #timer: ProviderTimer | undefined;
  #stopped = false;

  constructor(context: CheckpointContext) {
    this.#context = context;
  }

  /** Call after every commit. */
  wake(): void {
    const { db, clock } = this.#context;
    if (this.#stopped || this.#timer || !hasFreedContent(db)) return;
    this.#timer = clock.after(PAUSE_MS, this.#run);
  }

  /** Empties the log now. True when nothing that was deleted is left in the files: the copies are emptied, too. */
  settle(): boolean {
    const { db } = this.#context;
    return !db.raw.isTransaction && !isErasing(db) && (!usesWriteAheadLog(db) || emptyLog(db));
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  readonly #run = (): void => {
    this.#timer = undefined;
    const { db, transact, reportError } = this.#context;
    try {
      // Copies are still being emptied, or a reader is busy: the note stays for the next try.
      if (this.settle()) transact(() => forgetFreedContent(db));
    } catch (error) {
      reportError(error);
    }
    this.wake();
  };
}
