/** The screen is drawn again when time changes what it shows, and nothing runs until then. */
import { expect, test } from "vitest";
import { eachSecond, redrawInTime } from "../../../src/tui/effects/clock.ts";
import type { StoreClock } from "../../../src/tui/screen/store.ts";
import { channel, EPOCH, FakeCore, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

/** A screen, and what wakes it. */
function timed() {
  // Two hundred milliseconds into a minute.
  const clock = new VirtualClock(EPOCH + 200);
  const { ports } = new ScreenDriver(new FakeCore(stateOf([channel("general")])), {
    now: () => clock.now(),
  });
  const time = redrawInTime({ ...ports, clock: clock as unknown as StoreClock });
  time.changed();
  return { clock, time, store: ports.store };
}

test("a screen on which nothing counts waits for the next minute", async () => {
  const { clock, time } = timed();
  expect(clock.timers).toEqual([59_800]);
  time.changed();
  expect(clock.timers).toEqual([59_800]);
  await clock.advance(59_800);
  expect(clock.timers).toEqual([60_000]);
  time.stop();
  expect(clock.timers).toEqual([]);
});

test("an offer to take something back wakes it at the second after its end, which removes the offer", async () => {
  const { clock, time, store } = timed();
  const offer = { what: "pin", until: clock.now() + 10_000, run: () => {} };
  store.update((s) => ({ ...s, takeBacks: [offer] }));
  time.changed();
  expect(clock.timers).toEqual([10_800]);
  await clock.advance(10_800);
  expect(store.screen.takeBacks).toEqual([]);
});

test("a connection that waits for its next try is counted down each second", async () => {
  const { clock, time, store } = timed();
  const { state } = store;
  (store.get() as { state: object }).state = { ...state, link: { ...state.link, phase: "waiting" } };
  time.changed();
  expect(clock.timers).toEqual([800]);
  await clock.advance(800);
  expect(clock.timers).toEqual([1000]);
});

test("what runs each second does so only while it is switched on", async () => {
  const clock = new VirtualClock();
  let runs = 0;
  const watch = eachSecond(clock as unknown as StoreClock, () => runs++);
  watch(false);
  expect(clock.timers).toEqual([]);
  watch(true);
  watch(true);
  await clock.advance(2500);
  watch(false);
  await clock.advance(2500);
  expect([runs, clock.timers]).toEqual([2, []]);
});
