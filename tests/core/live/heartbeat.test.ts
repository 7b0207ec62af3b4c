/** The heartbeat of one connection by itself: when it ends, and what it does afterwards (specification/realtime.md §3). */
import { expect, test } from "vitest";
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
