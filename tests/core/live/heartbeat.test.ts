/** The heartbeat of one connection by itself: when it ends, and what it does afterwards (specification/realtime.md §3). */
import { describe, expect, test } from "vitest";
import type { Clock } from "../../../src/core/base/ports.ts";
import { Heartbeat } from "../../../src/core/live/heartbeat.ts";
import { SUSPICION_DEADLINE } from "../../../src/wire/constants.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

test.each([
  ["was stopped", async (beat: Heartbeat) => beat.stop()],
  [
    "has declared its connection dead",
    async (_beat: Heartbeat, clock: VirtualClock) => clock.advance(300_000),
  ],
])("a heartbeat that %s sends no ping any more, whatever call fails later", async (_, end) => {
  const clock = new VirtualClock();
  const pings: number[] = [];
  const beat = new Heartbeat(clock, { ping: () => void pings.push(clock.now()), dead: () => {} });
  await end(beat, clock);
  const before = pings.length;
  beat.verifyLink();
  await clock.advance(300_000);
  expect(pings).toHaveLength(before);
  expect(clock.timers).toEqual([]);
});

test("a link that answers nothing is dead five seconds after the first failed call, however many calls fail meanwhile", async () => {
  const clock = new VirtualClock();
  const start = clock.now();
  const deaths: number[] = [];
  const beat = new Heartbeat(clock, { ping: () => {}, dead: () => void deaths.push(clock.now() - start) });
  for (let second = 0; second < 20; second++) {
    beat.verifyLink();
    await clock.advance(1000);
  }
  expect(deaths).toEqual([SUSPICION_DEADLINE]);
});

/** A heartbeat on a machine that can sleep: no timer runs meanwhile; `counts`: whether its monotonic clock does. */
function sleeper(counts: boolean, periodic = true) {
  const clock = new VirtualClock();
  let slept = 0;
  const machine: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + (counts ? slept : 0),
    setTimeout: (run, ms) => clock.setTimeout(run, ms),
    clearTimeout: (timer) => clock.clearTimeout(timer),
  };
  const log: [string, number][] = [];
  const start = clock.monotonic();
  const record = (what: string) => void log.push([what, clock.monotonic() - start]);
  const beat = new Heartbeat(machine, { ping: () => record("ping"), dead: () => record("dead") }, periodic);
  return {
    clock,
    beat,
    log,
    sleep(ms: number): void {
      slept += ms;
      clock.sleep(ms);
    },
  };
}

describe.each([
  ["counts", true],
  ["does not count", false],
])("after a sleep that the monotonic clock %s", (_, counts) => {
  // The wait before it decides how long nothing was heard, and whether a ping is unanswered.
  const cases = [11_000, 40_000, 3_600_000].flatMap((asleep) =>
    [0, 4000, 24_000, 33_000].map((awake) => [asleep, awake] as const),
  );
  test.each(cases)(
    "of %i ms, %i ms after a frame, a link that answers the ping lives",
    async (asleep, awake) => {
      const { clock, beat, log, sleep } = sleeper(counts);
      await clock.advance(awake);
      log.length = 0;
      sleep(asleep);
      await clock.advance(5000);
      expect(log.map(([what]) => what)).toEqual(["ping"]);
      await clock.advance(log[0]![1] + SUSPICION_DEADLINE - clock.monotonic() - 1);
      beat.alive();
      await clock.advance(20_000);
      expect(log.map(([what]) => what)).toEqual(["ping"]);
      expect(beat.answered()).toBeTypeOf("number");
    },
  );
  test.each(cases)(
    "of %i ms, %i ms after a frame, one that does not is dead 5 s after the ping",
    async (asleep, awake) => {
      const { clock, log, sleep } = sleeper(counts);
      await clock.advance(awake);
      log.length = 0;
      sleep(asleep);
      await clock.advance(15_000);
      expect(log).toEqual([
        ["ping", expect.any(Number)],
        ["dead", log[0]![1] + SUSPICION_DEADLINE],
      ]);
    },
  );
  test("a second sleep before the answer begins the five seconds again", async () => {
    const { clock, log, sleep } = sleeper(counts);
    await clock.advance(3000);
    sleep(3_600_000);
    await clock.advance(5000);
    sleep(3_600_000);
    await clock.advance(15_000);
    expect(log.map(([what]) => what)).toEqual(["ping", "ping", "dead"]);
    expect(log[2]![1] - log[1]![1]).toBe(SUSPICION_DEADLINE);
  });
  test("long polling pings and waits for the answer, too", async () => {
    const { clock, log, sleep } = sleeper(counts, false);
    await clock.advance(300_000);
    expect(log).toEqual([]);
    sleep(3_600_000);
    await clock.advance(15_000);
    expect(log).toEqual([
      ["ping", expect.any(Number)],
      ["dead", log[0]![1] + SUSPICION_DEADLINE],
    ]);
  });
});
