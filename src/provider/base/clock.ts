/** Provider time: strictly increasing microseconds and timers that tests can move forward (specification/embedded-provider.md §3). */

export interface ProviderTimer {
  cancel(): void;
}

export interface ProviderClock {
  /** Whole microseconds since the epoch; every call gives a larger number than the one before. */
  now(): number;
  /** Runs once after `ms` of provider time; never keeps the process alive. */
  after(ms: number, run: () => void): ProviderTimer;
  /** Moves time forward by `ms` and runs, in order, every timer that became due. */
  advance(ms: number): void;
  /** Moves time alone: every timer still waits as long as it would have, so that no connection counts as silent. */
  shift(ms: number): void;
  /** Whole microseconds that only `advance` moves, not `shift`: for what is measured on a line, such as silence. */
  steady(): number;
  /** How far it is ahead of the machine's clock, milliseconds. */
  moved(): number;
}

interface Armed {
  /** Milliseconds of provider time. */
  due: number;
  run: () => void;
  handle: NodeJS.Timeout;
}

/** `ahead`: how far it was moved before, milliseconds. */
export function createClock(ahead = 0): ProviderClock {
  let offset = ahead;
  let shifted = 0;
  let last = 0;
  const timers = new Set<Armed>();
  const wall = (): number => Date.now() + offset;
  const arm = (timer: Armed): void => {
    timer.handle = setTimeout(() => fire(timer), Math.min(Math.max(0, timer.due - wall()), 2 ** 31 - 1));
    timer.handle.unref();
  };
  const fire = (timer: Armed): void => {
    if (timer.due > wall() + 1) return arm(timer);
    timers.delete(timer);
    timer.run();
  };
  return {
    now: () => (last = Math.max(last + 1, wall() * 1000)),
    after(ms, run) {
      const timer = { due: wall() + ms, run } as Armed;
      timers.add(timer);
      arm(timer);
      return {
        cancel() {
          clearTimeout(timer.handle);
          timers.delete(timer);
        },
      };
    },
    moved: () => offset,
    steady: () => (wall() - shifted) * 1000,
    shift(ms) {
      offset += ms;
      shifted += ms;
      for (const timer of timers) timer.due += ms;
    },
    advance(ms) {
      const target = wall() + ms;
      for (;;) {
        let first: Armed | undefined;
        for (const timer of timers)
          if (timer.due <= target && (!first || timer.due < first.due)) first = timer;
        if (!first) break;
        // Stop by stop, so that a timer that arms another one does it at its own moment.
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
