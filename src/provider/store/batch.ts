/** Group commit: all calls that arrive in one turn of the event loop share one durable transaction, a savepoint each. */
import type { Database } from "../base/database.ts";

interface QueuedCall<T> {
  /** Synchronous; a throw undoes what it wrote and nothing else. */
  run(): T;
  /** Undoes what `run` changed in memory, also when it returned and the commit failed. */
  undo(): void;
  /** What the operator is told when this held everybody up. */
  name?: string;
  /** After the commit, in the order of the calls: events go out here, then the promise resolves. */
  release(value: T): void;
}

interface Waiting {
  work: QueuedCall<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Milliseconds of one piece of work, or of one commit, that are too many: nobody else is answered meanwhile. */
export const HELD_UP_MS = 100;

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/**
 * Many clients wait for the same `fsync` instead of one each. Answers leave only after COMMIT, so what was answered
 * survives a killed process.
 */
export class Batch {
  readonly #db: Database;
  #waiting: Waiting[] = [];
  #scheduled = false;

  readonly #settle: (db: Database) => void;
  readonly #heldUp: (what: string, ms: number) => void;

  /** `settle` is the last thing done in every transaction; `heldUp` hears of what took more than `HELD_UP_MS`. */
  constructor(
    db: Database,
    settle: (db: Database) => void = () => {},
    heldUp: (what: string, ms: number) => void = () => {},
  ) {
    this.#db = db;
    this.#settle = settle;
    this.#heldUp = heldUp;
  }

  #watch<T>(what: string, run: () => T): T {
    const began = performance.now();
    try {
      return run();
    } finally {
      const ms = performance.now() - began;
      if (ms > HELD_UP_MS) this.#heldUp(what, ms);
    }
  }

  /** Runs in the transaction of this turn; resolves or rejects after its commit. */
  run<T>(work: QueuedCall<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        work: work as QueuedCall<unknown>,
        resolve: resolve as (v: unknown) => void,
        reject,
      });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // Bodies end in the poll phase; the check phase after it finds all of this turn.
      setImmediate(() => this.flush());
    });
  }

  /** Runs at once in a transaction of its own; not callable from inside one. */
  now<T>(work: QueuedCall<T>): T {
    const [outcome] = this.#commit([work as QueuedCall<unknown>]);
    if (!outcome!.ok) throw outcome!.error;
    work.release(outcome!.value as T);
    return outcome!.value as T;
  }

  /** Commits what waits without waiting for the turn's end: before the database is closed. */
  flush(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    if (!batch.length) return;
    this.#waiting = [];
    const outcomes = this.#commit(batch.map((w) => w.work));
    for (const [n, outcome] of outcomes.entries()) {
      const { work, resolve, reject } = batch[n]!;
      if (!outcome.ok) {
        reject(outcome.error);
        continue;
      }
      try {
        work.release(outcome.value);
      } finally {
        resolve(outcome.value);
      }
    }
  }

  #commit(works: QueuedCall<unknown>[]): Outcome[] {
    const { raw } = this.#db;
    let outcomes: Outcome[] = [];
    try {
      raw.exec("BEGIN IMMEDIATE");
      for (const work of works)
        outcomes.push(this.#watch(work.name ?? "background work", () => this.#one(work)));
      this.#watch("a commit", () => {
        this.#settle(this.#db);
        raw.exec("COMMIT");
      });
    } catch (error) {
      for (let n = outcomes.length - 1; n >= 0; n--) if (outcomes[n]!.ok) works[n]!.undo();
      if (raw.isTransaction) raw.exec("ROLLBACK");
      outcomes = works.map(() => ({ ok: false, error }));
    }
    return outcomes;
  }

  #one(work: QueuedCall<unknown>): Outcome {
    this.#db.prepare("SAVEPOINT call").run();
    try {
      const value = work.run();
      this.#db.prepare("RELEASE call").run();
      return { ok: true, value };
    } catch (error) {
      work.undo();
      // An error such as a full disk ends the whole transaction: then nothing of this turn was written.
      if (!this.#db.raw.isTransaction) throw error;
      this.#db.prepare("ROLLBACK TO call").run();
      this.#db.prepare("RELEASE call").run();
      return { ok: false, error };
    }
  }
}
