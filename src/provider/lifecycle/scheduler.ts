/** Runs scheduled work: one timer for the earliest due time, which is read again after every commit. */
import type { DueWork } from "../base/ports.ts";
import type { Database } from "../base/database.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";

interface SchedulerContext {
  works: readonly DueWork[];
  db: Database;
  clock: ProviderClock;
  step(work: DueWork): void;
  reportError(error: unknown): void;
}

/** The pause after a step that threw, so that an error does not become a busy loop; milliseconds. */
const ERROR_PAUSE_MS = 5000;
/** Most steps while the clock is moved, which runs all due work in one turn of the event loop. */
const MAX_STEPS_PER_MOVE = 100_000;

export class Scheduler {
  readonly #context: SchedulerContext;
  /** Works whose step threw → until when they pause, whole microseconds. */
  readonly #pausedUntil = new Map<DueWork, number>();
  #timer: ProviderTimer | undefined;
  #armedFor = Infinity;
  #waking = false;
  /** A turn is already scheduled and will pick up new work; a timer would start a second chain of turns. */
  #turnScheduled = false;
  #stopped = false;

  constructor(context: SchedulerContext) {
    this.#context = context;
  }

  /** Checks for due work in the next turn, after a commit may have changed it; several calls in one turn cause one check. */
  wake(): void {
    if (this.#waking || this.#stopped || this.#context.works.length === 0) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#arm();
    });
  }

  /** Moves time forward by `ms`, stopping at each due time to run the work. */
  advance(ms: number): void {
    const { clock } = this.#context;
    this.#disarm();
    const target = clock.now() + ms * 1000;
    for (let steps = 0; steps < MAX_STEPS_PER_MOVE; steps++) {
      // A step may close the provider.
      if (this.#stopped) break;
      const { work, dueAt } = this.#earliest();
      if (!work || dueAt > target) break;
      clock.shift(Math.max(0, Math.ceil((dueAt - clock.now()) / 1000)));
      this.#runStep(work);
    }
    clock.shift(Math.max(0, Math.round((target - clock.now()) / 1000)));
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** When this work may run next, whole microseconds. */
  #dueAt(work: DueWork): number {
    return Math.max(work.next(this.#context.db) ?? Infinity, this.#pausedUntil.get(work) ?? -Infinity);
  }

  #dueNow(): DueWork[] {
    const now = this.#context.clock.now();
    return this.#context.works.filter((work) => this.#dueAt(work) <= now);
  }

  #runStep(work: DueWork): void {
    const { step, reportError, clock } = this.#context;
    this.#pausedUntil.delete(work);
    try {
      step(work);
    } catch (error) {
      reportError(error);
      this.#pausedUntil.set(work, clock.now() + ERROR_PAUSE_MS * 1000);
    }
  }

  /** The work due first. Reads in one transaction, because beginning one costs more than most of the queries. */
  #earliest(): { work: DueWork | undefined; dueAt: number } {
    const { db, works } = this.#context;
    const opensTransaction = !db.raw.isTransaction;
    if (opensTransaction) db.prepare("BEGIN").run();
    try {
      let found: DueWork | undefined;
      let dueAt = Infinity;
      for (const work of works) {
        const time = this.#dueAt(work);
        if (time < dueAt) [found, dueAt] = [work, time];
      }
      return { work: found, dueAt };
    } finally {
      if (opensTransaction) db.prepare("COMMIT").run();
    }
  }

  #arm(): void {
    if (this.#stopped || this.#turnScheduled) return;
    const { dueAt: next } = this.#earliest();
    if (next === this.#armedFor && this.#timer) return;
    this.#disarm();
    this.#armedFor = next;
    if (next === Infinity) return;
    const { clock } = this.#context;
    // Timers count whole milliseconds, so round up: a timer that fires too early finds nothing due.
    this.#timer = clock.after(Math.max(0, Math.ceil((next - clock.now()) / 1000)), () => {
      this.#timer = undefined;
      this.#runTurn();
    });
  }

  readonly #runTurn = (): void => {
    this.#turnScheduled = false;
    if (this.#stopped) return;
    for (const work of this.#dueNow()) this.#runStep(work);
    if (this.#dueNow().length === 0) return this.#arm();
    this.#turnScheduled = true;
    setImmediate(this.#runTurn);
  };
}
