/** Runs work when it is due: one timer for the earliest, checked again after every commit. */
import type { DueWork } from "../base/ports.ts";
import type { Database } from "../base/database.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";

interface SchedulerContext {
  works: readonly DueWork[];
  db: Database;
  clock: ProviderClock;
  /** One step in a transaction of its own. */
  step(work: DueWork): void;
  failed(error: unknown): void;
}

/** The wait after a step that threw, milliseconds: a fault does not become a busy loop. */
const AFTER_FAULT_MS = 5000;
/** One step a turn of the event loop, but a clock that is moved finishes what is due before it moves on. */
const STEPS_A_MOVE = 100_000;

/** Runs due work by one timer for the earliest of it. */
export class Scheduler {
  readonly #context: SchedulerContext;
  /** Works whose step threw, and until when they rest, whole microseconds. */
  readonly #resting = new Map<DueWork, number>();
  #timer: ProviderTimer | undefined;
  #at = Infinity;
  #looking = false;
  /** A turn is coming: whatever is committed meanwhile needs no timer, which would start a second row of turns. */
  #turning = false;
  #stopped = false;

  constructor(context: SchedulerContext) {
    this.#context = context;
  }

  /** Something was committed: what is due may have changed. Looks once a turn, however often it is called. */
  look(): void {
    if (this.#looking || this.#stopped || this.#context.works.length === 0) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      this.#arm();
    });
  }

  /** Moves time forward by `ms`, stopping at each moment at which work is due to run it to its end. */
  advance(ms: number): void {
    const { clock } = this.#context;
    this.#disarm();
    const target = clock.now() + ms * 1000;
    for (let steps = 0; steps < STEPS_A_MOVE; steps++) {
      // A step may end the provider.
      if (this.#stopped) break;
      const { work, moment } = this.#soonest();
      if (!work || moment > target) break;
      clock.shift(Math.max(0, Math.ceil((moment - clock.now()) / 1000)));
      this.#take(work);
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

  /** The earliest moment of one work, whole microseconds. */
  #when(work: DueWork): number {
    return Math.max(work.next(this.#context.db) ?? Infinity, this.#resting.get(work) ?? -Infinity);
  }

  #dueNow(): DueWork[] {
    const now = this.#context.clock.now();
    return this.#context.works.filter((work) => this.#when(work) <= now);
  }

  #take(work: DueWork): void {
    const { step, failed, clock } = this.#context;
    this.#resting.delete(work);
    try {
      step(work);
    } catch (error) {
      failed(error);
      this.#resting.set(work, clock.now() + AFTER_FAULT_MS * 1000);
    }
  }

  /** All works are asked in one read transaction: to begin one costs more than most of the questions. */
  #soonest(): { work: DueWork | undefined; moment: number } {
    const { db, works } = this.#context;
    const own = !db.raw.isTransaction;
    if (own) db.prepare("BEGIN").run();
    try {
      let found: DueWork | undefined;
      let moment = Infinity;
      for (const work of works) {
        const at = this.#when(work);
        if (at < moment) [found, moment] = [work, at];
      }
      return { work: found, moment };
    } finally {
      if (own) db.prepare("COMMIT").run();
    }
  }

  #arm(): void {
    if (this.#stopped || this.#turning) return;
    const { moment: next } = this.#soonest();
    if (next === this.#at && this.#timer) return;
    this.#disarm();
    this.#at = next;
    if (next === Infinity) return;
    const { clock } = this.#context;
    // A timer counts whole milliseconds: one too early would find nothing due.
    this.#timer = clock.after(Math.max(0, Math.ceil((next - clock.now()) / 1000)), () => {
      this.#timer = undefined;
      this.#turn();
    });
  }

  readonly #turn = (): void => {
    this.#turning = false;
    if (this.#stopped) return;
    for (const work of this.#dueNow()) this.#take(work);
    if (this.#dueNow().length === 0) return this.#arm();
    this.#turning = true;
    setImmediate(this.#turn);
  };
}
