/** Keys paint at once, network events at most thirty times a second and less often in a flood (specification/screen.md §3). */
import { expect, test } from "vitest";
import { emptyScreen } from "../../../src/tui/screen/screen.ts";
import {
  FLOOD_INTERVALS,
  PAINT_INTERVAL_MS,
  ScreenStore,
  type StoreClock,
} from "../../../src/tui/screen/store.ts";
import { createMeasure } from "../../../src/tui/measure.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { redrawOnChange } from "../../../src/tui/create-screen.ts";
import { FakeCore, NO_LISTS, stateOf } from "../../support/fake-core.ts";

function setUp() {
  let at = 1000;
  let due: { at: number; run: () => void }[] = [];
  let state = stateOf([]);
  const clock: StoreClock = {
    now: () => at,
    setTimeout: (run, ms) => {
      const timer = { at: at + ms, run };
      due.push(timer);
      return timer;
    },
    clearTimeout: (timer) => (due = due.filter((d) => d !== timer)),
  };
  const look = { theme: makeTheme(0), utc: true, hyperlinks: true };
  const measure = createMeasure();
  const store = new ScreenStore({
    screen: emptyScreen(120, 40),
    look,
    read: () => ({ state, lists: NO_LISTS }),
    clock: clock,
    measure,
  });
  let paints = 0;
  store.subscribe(() => paints++);
  return {
    store,
    paints: () => paints,
    /** A batch of events: core reports the batch as one change. */
    arrive: (events = 1) => {
      state = { ...state };
      store.scheduleUpdate();
      for (let n = 0; n < events; n++) store.countEvent();
    },
    setBack: (ms: number) => void (at -= ms),
    pass: (ms: number) => {
      for (const end = at + ms; at < end; at++) {
        const ready = due.filter((d) => d.at <= at);
        due = due.filter((d) => d.at > at);
        for (const d of ready) d.run();
      }
    },
  };
}

test("a key paints immediately, without the network's changes", () => {
  const t = setUp();
  t.store.update((s) => ({ ...s, quitArmed: true }), false);
  expect(t.paints()).toBe(1);
});

test("an edit of the box leaves the network's changes for the next frame", () => {
  const t = setUp();
  const before = t.store.get().state;
  t.arrive();
  t.store.update((s) => ({ ...s, quitArmed: true }), false);
  expect(t.store.get().state).toBe(before);
  t.pass(PAINT_INTERVAL_MS + 2);
  expect(t.store.get().state).not.toBe(before);
});

/** Paints in one second with `events` every ten milliseconds, after a second of the same load. */
function paintsOf(events: number): number {
  const t = setUp();
  const second = (): void => {
    for (let at = 0; at < 1000; at += 10) {
      t.arrive(events);
      t.pass(10);
    }
  };
  second();
  const before = t.paints();
  second();
  return t.paints() - before;
}

test("the more events per second, the fewer frames are painted", () => {
  const [fast, flood] = FLOOD_INTERVALS;
  expect(paintsOf(1)).toBeLessThanOrEqual(31);
  expect(paintsOf(1)).toBeGreaterThan(20);
  expect(paintsOf(5)).toBeLessThanOrEqual(1000 / flood.ms + 1);
  expect(paintsOf(5)).toBeGreaterThan(1000 / flood.ms - 5);
  expect(paintsOf(50)).toBeLessThanOrEqual(1000 / fast.ms + 1);
  expect(paintsOf(50)).toBeGreaterThan(1000 / fast.ms - 3);
});

test("each event counts for the frame rate until the screen ends", () => {
  const core = new FakeCore(stateOf([]));
  let arrived = 0;
  const stop = redrawOnChange({
    core,
    store: { scheduleUpdate: () => {}, update: () => {}, countEvent: () => arrived++ } as never,
  });
  core.hear({ type: "message.new" });
  core.hear({ type: "typing.start" });
  expect(arrived).toBe(2);
  stop();
  core.hear({ type: "message.new" });
  expect(arrived).toBe(2);
});

test("a change of core and of each of its lists is drawn until the screen ends", () => {
  const listeners = new Map<string, () => void>();
  const part = (name: string) => ({
    subscribe: (run: () => void) => {
      listeners.set(name, run);
      return () => listeners.delete(name);
    },
  });
  let drawn = 0;
  const stop = redrawOnChange({
    core: {
      ...part("state"),
      threads: part("threads"),
      reminders: part("reminders"),
      locations: part("locations"),
      on: () => () => {},
    } as never,
    store: { scheduleUpdate: () => drawn++ } as never,
  });
  expect([...listeners.keys()]).toEqual(["state", "threads", "reminders", "locations"]);
  for (const run of listeners.values()) run();
  expect(drawn).toBe(4);
  stop();
  expect(listeners.size).toBe(0);
});

test("the first message after a flood is painted within a frame", () => {
  const t = setUp();
  for (let n = 0; n < 20; n++) {
    t.arrive(100);
    t.pass(10);
  }
  t.pass(1000);
  const before = t.paints();
  t.arrive();
  t.pass(2);
  expect(t.paints()).toBe(before + 1);
  t.arrive();
  t.pass(PAINT_INTERVAL_MS + 2);
  expect(t.paints()).toBe(before + 2);
});

test("an update that changes nothing paints nothing", () => {
  const t = setUp();
  t.store.update((s) => s);
  t.store.scheduleUpdate();
  t.pass(100);
  expect(t.paints()).toBe(0);
});

test("after the clock was set back, a tick still paints the time", () => {
  const t = setUp();
  t.setBack(900_000);
  t.store.scheduleUpdate();
  t.pass(PAINT_INTERVAL_MS + 2);
  expect(t.paints()).toBe(1);
  expect(t.store.get().now).toBeLessThan(0);
});
