/** Keys paint at once, the network at most thirty times a second, twenty in a flood (specification/screen.md §3). */
import { expect, test } from "vitest";
import { emptyScreen } from "../../../src/tui/screen/screen.ts";
import { LOADED_PACE_MS, PACE_MS, ScreenStore } from "../../../src/tui/screen/store.ts";
import type { Pace } from "../../../src/tui/screen/store.ts";
import { createMeasure } from "../../../src/tui/measure.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { NO_LISTS, stateOf } from "../../support/fake-core.ts";

function setUp() {
  let at = 1000;
  let due: { at: number; run: () => void }[] = [];
  let state = stateOf([]);
  const pace: Pace = {
    now: () => at,
    setTimeout: (run, ms) => {
      const timer = { at: at + ms, run };
      due.push(timer);
      return timer;
    },
    clearTimeout: (timer) => (due = due.filter((d) => d !== timer)),
  };
  const look = { theme: makeTheme(0), utc: true, hyperlinks: true };
  const measure = createMeasure({ userId: "me" });
  const store = new ScreenStore({
    screen: emptyScreen(120, 40),
    look,
    read: () => ({ state, lists: NO_LISTS }),
    pace,
    measure,
  });
  let paints = 0;
  store.subscribe(() => paints++);
  return {
    store,
    paints: () => paints,
    arrive: () => {
      state = { ...state };
      store.later();
    },
    pass: (ms: number) => {
      for (const end = at + ms; at < end; at++) {
        const ready = due.filter((d) => d.at <= at);
        due = due.filter((d) => d.at > at);
        for (const d of ready) d.run();
      }
    },
  };
}

test("a key paints in its own tick, and does not wait for the network", () => {
  const t = setUp();
  t.store.now((s) => ({ ...s, leaving: true }), false);
  expect(t.paints()).toBe(1);
});

test("an edit of the box leaves the network's changes for the next frame", () => {
  const t = setUp();
  const before = t.store.get().state;
  t.arrive();
  t.store.now((s) => ({ ...s, leaving: true }), false);
  expect(t.store.get().state).toBe(before);
  t.pass(PACE_MS + 2);
  expect(t.store.get().state).not.toBe(before);
});

test("a thousand events in a second are at most twenty paints and a few", () => {
  const t = setUp();
  for (let i = 0; i < 1000; i++) {
    t.arrive();
    t.pass(1);
  }
  t.pass(100);
  expect(t.paints()).toBeGreaterThan(10);
  expect(t.paints()).toBeLessThanOrEqual(Math.ceil(1000 / LOADED_PACE_MS) + 3);
});

test("a change that changes nothing paints nothing", () => {
  const t = setUp();
  t.store.now((s) => s);
  t.store.later();
  t.pass(100);
  expect(t.paints()).toBe(0);
});
