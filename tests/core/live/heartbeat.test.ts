/** The heartbeat of one connection by itself: what it does after its end (specification/realtime.md §3). */
import { expect, test } from "vitest";
import { Heartbeat } from "../../../src/core/live/heartbeat.ts";
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
