/** Runs stored work when it becomes due: one timer for the earliest of it, looked at again after every commit. */
import type { DueWork } from "../base/ports.ts";
import type { Database } from "../store/database.ts";
import type { ProviderClock, Timer } from "./clock.ts";

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

export interface Scheduler {
  /** Something was committed: what is due may have changed. Looks once a turn, however often it is called. */
  look(): void;
  /** Moves time forward by `ms`, stopping at each moment at which work is due to run it to its end. */
  advance(ms: number): void;
  stop(): void;
}

export function createScheduler({ works, db, clock, step, failed }: SchedulerContext): Scheduler {
  const resting = new Map<DueWork, number>();
  let timer: Timer | undefined;
  let at = Infinity;
  let looking = false;
  /** A turn is coming: whatever is committed meanwhile needs no timer, which would start a second row of turns. */
  let turning = false;
  let stopped = false;

  /** The earliest moment of one work, whole microseconds. */
  const when = (work: DueWork): number => Math.max(work.next(db) ?? Infinity, resting.get(work) ?? -Infinity);

  const dueNow = (): DueWork[] => {
    const now = clock.now();
    return works.filter((work) => when(work) <= now);
  };

  const take = (work: DueWork): void => {
    resting.delete(work);
    try {
      step(work);
    } catch (error) {
      failed(error);
      resting.set(work, clock.now() + AFTER_FAULT_MS * 1000);
    }
  };

  /** All works are asked in one read transaction: to begin one costs more than most of the questions. */
  const soonest = (): { work: DueWork | undefined; moment: number } => {
    const own = !db.raw.isTransaction;
    if (own) db.prepare("BEGIN").run();
    try {
      let found: DueWork | undefined;
      let moment = Infinity;
      for (const work of works) {
        const at = when(work);
        if (at < moment) [found, moment] = [work, at];
      }
      return { work: found, moment };
    } finally {
      if (own) db.prepare("COMMIT").run();
    }
  };

  const arm = (): void => {
    if (stopped || turning) return;
    const { moment: next } = soonest();
    if (next === at && timer) return;
    timer?.cancel();
    timer = undefined;
    at = next;
    if (next === Infinity) return;
    // A timer counts whole milliseconds: one too early would find nothing due.
    timer = clock.after(Math.max(0, Math.ceil((next - clock.now()) / 1000)), () => {
      timer = undefined;
      turn();
    });
  };

  const turn = (): void => {
    turning = false;
    if (stopped) return;
    for (const work of dueNow()) take(work);
    if (dueNow().length === 0) return arm();
    turning = true;
    setImmediate(turn);
  };

  return {
    look() {
      if (looking || stopped || works.length === 0) return;
      looking = true;
      setImmediate(() => {
        looking = false;
        arm();
      });
    },
    advance(ms) {
      timer?.cancel();
      timer = undefined;
      const target = clock.now() + ms * 1000;
      for (let steps = 0; steps < STEPS_A_MOVE; steps++) {
        // A step may end the provider.
        if (stopped) break;
        const { work, moment } = soonest();
        if (!work || moment > target) break;
        clock.shift(Math.max(0, Math.ceil((moment - clock.now()) / 1000)));
        take(work);
      }
      clock.shift(Math.max(0, Math.round((target - clock.now()) / 1000)));
      arm();
    },
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
