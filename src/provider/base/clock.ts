/** Provider time: strictly increasing microseconds and timers that tests can move forward (specification/embedded-provider.md §3). */

export interface ProviderTimer {
  cancel(): void;
}

export interface ProviderClock {
  /** Whole microseconds since the epoch; every call gives a larger number than the one before. */
  now(): number;
  /** Runs `run` once after `ms` of provider time; never keeps the process alive. */
  after(ms: number, run: () => void): ProviderTimer;
  /** Moves time forward by `ms` and runs every timer that became due, in order. */
  advance(ms: number): void;
  /** Moves time without the timers: each still waits as long as before, so that no connection counts as silent. */
  shift(ms: number): void;
  /** Whole microseconds, moved by `advance` but not by `shift`: for durations on a connection, such as silence. */
  steadyNow(): number;
  /** How far provider time is ahead of the machine's clock, milliseconds. */
  offset(): number;
}

interface ArmedTimer {
  /** Milliseconds of provider time. */
  due: number;
  run: () => void;
  handle: NodeJS.Timeout;
}

/** A lag (ms) of the machine's clock behind the monotonic one that means it was set back. */
const SET_BACK_MS = 1000;

/**
 * The machine's time, milliseconds. When that is set back, this continues from where it was, so that timers, reminders and
 * cooldowns do not wait until the same time comes again; set forward, it first makes up for that.
 */
function createForwardTime(): () => number {
  let [wall, steady] = [Date.now(), performance.now()];
  let setBack = 0;
  return () => {
    const [wallBefore, steadyBefore] = [wall, steady];
    [wall, steady] = [Date.now(), performance.now()];
    const lag = steady - steadyBefore - (wall - wallBefore);
    if (lag > SET_BACK_MS) setBack += lag;
    else if (lag < -SET_BACK_MS) setBack = Math.max(0, setBack + lag);
    return wall + Math.round(setBack);
  };
}

/** `ahead`: how far an earlier run had moved the clock, milliseconds. */
export function createClock(ahead = 0): ProviderClock {
  let offset = ahead;
  let shifted = 0;
  let last = 0;
  const timers = new Set<ArmedTimer>();
  const forwardTime = createForwardTime();
  const wall = (): number => forwardTime() + offset;
  const arm = (timer: ArmedTimer): void => {
    timer.handle = setTimeout(() => fire(timer), Math.min(Math.max(0, timer.due - wall()), 2 ** 31 - 1));
    timer.handle.unref();
  };
  const fire = (timer: ArmedTimer): void => {
    if (timer.due > wall() + 1) return arm(timer);
    timers.delete(timer);
    timer.run();
  };
  return {
    now: () => (last = Math.max(last + 1, wall() * 1000)),
    after(ms, run) {
      const timer = { due: wall() + ms, run } as ArmedTimer;
      timers.add(timer);
      arm(timer);
      return {
        cancel() {
          clearTimeout(timer.handle);
          timers.delete(timer);
        },
      };
    },
    offset: () => offset,
    steadyNow: () => (wall() - shifted) * 1000,
    shift(ms) {
      offset += ms;
      shifted += ms;
      for (const timer of timers) timer.due += ms;
    },
    advance(ms) {
      const target = wall() + ms;
      for (;;) {
        let first: ArmedTimer | undefined;
        for (const timer of timers)
          if (timer.due <= target && (!first || timer.due < first.due)) first = timer;
        if (!first) break;
        // Timer by timer, so that a timer that arms another one sees its own due time as now.
        offset += Math.max(0, first.due - wall());
        clearTimeout(first.handle);
        timers.delete(first);
        first.run();
      }
      offset += target - wall();
      for (const timer of timers) {
        clearTimeout(timer.handle);
        arm(timer);
      }
    },
  };
}
