/** Group commit: all calls of one turn of the event loop share one durable transaction, with a savepoint each. */
// Eight senders wait for one fsync instead of eight.
import type { Database } from "../base/database.ts";

interface QueuedCall<T> {
  /** Synchronous; a throw undoes its own writes only. */
  run(): T;
  /** Reverts the changes of `run` in memory, also when `run` succeeded but the commit failed. */
  undo?(): void;
  /** A dry run: whatever `run` did is undone at once, and only its result remains. */
  dry?: boolean;
  /** Name for the operator, in case it blocks everybody for long. */
  name?: string;
  /** Called after the commit, in the order of the calls: sends the events, then the promise resolves. */
  release?(value: T): void;
}

interface WaitingCall {
  call: QueuedCall<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** From this many milliseconds a call or commit is reported, because nobody else is answered meanwhile. */
export const SLOW_MS = 100;

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/**
 * Many clients wait for the same `fsync` instead of one each. Answers are sent only after COMMIT, so answered writes
 * survive a killed process.
 */
export class Batch {
  readonly #db: Database;
  #waiting: WaitingCall[] = [];
  #scheduled = false;

  readonly #beforeCommit: (db: Database) => void;
  readonly #onSlow: (what: string, ms: number) => void;

  /** `beforeCommit` runs at the end of every transaction; `onSlow` is called with work that took more than `SLOW_MS`. */
  constructor(
    db: Database,
    beforeCommit: (db: Database) => void = () => {},
    onSlow: (what: string, ms: number) => void = () => {},
  ) {
    this.#db = db;
    this.#beforeCommit = beforeCommit;
    this.#onSlow = onSlow;
  }

  #measure<T>(what: string, run: () => T): T {
    const startedAt = performance.now();
    try {
      return run();
    } finally {
      const ms = performance.now() - startedAt;
      if (ms > SLOW_MS) this.#onSlow(what, ms);
    }
  }

  /** Runs in the transaction of this turn; resolves or rejects after its commit. */
  run<T>(call: QueuedCall<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        call: call as QueuedCall<unknown>,
        resolve: resolve as (v: unknown) => void,
        reject,
      });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // Request bodies end in the poll phase; setImmediate runs in the check phase after it, with all calls of the turn.
      setImmediate(() => this.flush());
    });
  }

  /** Runs at once in a separate transaction; not callable from inside one. */
  runNow<T>(call: QueuedCall<T>): T {
    const [outcome] = this.#commit([call as QueuedCall<unknown>]);
    if (!outcome!.ok) throw outcome!.error;
    call.release?.(outcome!.value as T);
    return outcome!.value as T;
  }

  /** Commits all waiting calls at once; also called before the database is closed. */
  flush(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    if (!batch.length) return;
    this.#waiting = [];
    const outcomes = this.#commit(batch.map((w) => w.call));
    for (const [n, outcome] of outcomes.entries()) {
      const { call, resolve, reject } = batch[n]!;
      if (!outcome.ok) {
        reject(outcome.error);
        continue;
      }
      try {
        call.release?.(outcome.value);
      } finally {
        resolve(outcome.value);
      }
    }
  }

  #commit(calls: QueuedCall<unknown>[]): Outcome[] {
    const { raw } = this.#db;
    let outcomes: Outcome[] = [];
    try {
      raw.exec("BEGIN IMMEDIATE");
      for (const call of calls)
        outcomes.push(this.#measure(call.name ?? "background work", () => this.#runInSavepoint(call)));
      if (calls.every(({ dry }) => dry)) raw.exec("ROLLBACK");
      else
        this.#measure("a commit", () => {
          this.#beforeCommit(this.#db);
          raw.exec("COMMIT");
        });
    } catch (error) {
      for (let n = outcomes.length - 1; n >= 0; n--) if (outcomes[n]!.ok) calls[n]!.undo?.();
      if (raw.isTransaction) raw.exec("ROLLBACK");
      outcomes = calls.map(() => ({ ok: false, error }));
    }
    return outcomes;
  }

  #runInSavepoint(call: QueuedCall<unknown>): Outcome {
    this.#db.prepare("SAVEPOINT call").run();
    try {
      const value = call.run();
      if (call.dry) {
        call.undo?.();
        this.#db.prepare("ROLLBACK TO call").run();
      }
      this.#db.prepare("RELEASE call").run();
      return { ok: true, value };
    } catch (error) {
      call.undo?.();
      // An error such as a full disk ends the whole transaction: then no call of this turn was written.
      if (!this.#db.raw.isTransaction) throw error;
      this.#db.prepare("ROLLBACK TO call").run();
      this.#db.prepare("RELEASE call").run();
      return { ok: false, error };
    }
  }
}
