/** Scrolling: the window is positioned by an anchor, lays out only what it shows, and never leaves the list. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  feedWindow,
  revealingAnchor,
  scrolledAnchor,
  nextSelectable,
  type Feed,
} from "../../../../src/tui/views/messages/feed/feed.ts";

/** Blocks `m0`, `m1` … with these heights in rows; `laid` holds the indexes that were laid out. */
function feedOf(heights: readonly number[]): Feed & { laid: Set<number> } {
  const name = (i: number): string => `m${i}`;
  const laid = new Set<number>();
  return {
    laid,
    length: heights.length,
    idAt: name,
    indexOf: (id) => heights.findIndex((_, i) => name(i) === id),
    rowsAt: (i) => (laid.add(i), Array.from({ length: heights[i]! }, (_, r) => `${name(i)}.${r}`)),
    isSelectable: () => true,
  };
}
const shown = (feed: Feed, height: number, anchor?: { id: string; row: number }): string[] =>
  feedWindow(feed, height, anchor).lines.map((l) => l.text);

test("without an anchor the newest row is at the bottom", () => {
  expect(shown(feedOf([1, 2, 3]), 4)).toEqual(["m1.1", "m2.0", "m2.1", "m2.2"]);
});

test("a short list is at the top", () => {
  expect(shown(feedOf([1, 1]), 5, { id: "m0", row: 0 })).toEqual(["m0.0", "m1.0"]);
});

test("of ten thousand blocks only those in the window are laid out", () => {
  const feed = feedOf(Array.from({ length: 10_000 }, () => 2));
  feedWindow(feed, 40, undefined);
  expect(feed.laid.size).toBeLessThanOrEqual(21);
});

test("new messages do not move a window with an anchor", () => {
  const before = shown(feedOf([2, 2, 2, 2]), 3, { id: "m2", row: 0 });
  expect(shown(feedOf([2, 2, 2, 2, 5, 5]), 3, { id: "m2", row: 0 })).toEqual(before);
});

test("scrolling stops at the first row, and at the newest one, which is then followed", () => {
  const feed = feedOf([2, 2, 2]);
  const top = scrolledAnchor(feed, 3, undefined, -100);
  expect(shown(feed, 3, top)).toEqual(["m0.0", "m0.1", "m1.0"]);
  expect(scrolledAnchor(feed, 3, top, 100)).toBeUndefined();
});

test("an anchor whose message is gone falls back to the newest", () => {
  expect(shown(feedOf([1, 1]), 1, { id: "gone", row: 4 })).toEqual(["m1.0"]);
});

test("any scrolling shows a full window of consecutive rows", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: -40, max: 40 }), { maxLength: 8 }),
      (heights, height, steps) => {
        const feed = feedOf(heights);
        const all = heights.flatMap((n, i) => Array.from({ length: n }, (_, r) => `m${i}.${r}`));
        let anchor = undefined as ReturnType<typeof scrolledAnchor>;
        for (const by of steps) anchor = scrolledAnchor(feed, height, anchor, by);
        const window = feedWindow(feed, height, anchor);
        const rows = window.lines.map((l) => l.text);
        expect(rows.length).toBe(Math.min(height, all.length));
        const from = all.indexOf(rows[0]!);
        expect(rows).toEqual(all.slice(from, from + rows.length));
        expect(window.atEnd).toBe(from + rows.length === all.length);
      },
    ),
  );
});

test("a revealed message is in the window, whole if it fits", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(29),
      fc.nat(29),
      (heights, height, start, target) => {
        const feed = feedOf(heights);
        const from = scrolledAnchor(feed, height, undefined, -start * 3);
        const id = `m${target % heights.length}`;
        const rows = shown(feed, height, revealingAnchor(feed, height, from, id));
        const want = heights[target % heights.length]!;
        const seen = rows.filter((r) => r.startsWith(`${id}.`)).length;
        expect(seen).toBe(Math.min(want, height));
        if (want > height) expect(rows[0]).toBe(`${id}.0`);
      },
    ),
  );
});

test("the cursor moves from message to message and stops at the ends", () => {
  const feed = feedOf([1, 1, 1]);
  expect([
    nextSelectable(feed, "m1", 1),
    nextSelectable(feed, "m2", 1),
    nextSelectable(feed, undefined, -1),
    nextSelectable(feed, undefined, 1),
  ]).toEqual(["m2", "m2", "m2", "m0"]);
});
