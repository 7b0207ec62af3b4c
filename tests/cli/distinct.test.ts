/** Counting distinct texts: each counts once, however often and in whatever order it appears. */
import { expect, test } from "vitest";
import { DistinctCounter } from "../../src/cli/base/distinct-counter.ts";

test("each text counts once, and add returns whether it was new", () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => `messaging:room-${n}`);
  const distinct = new DistinctCounter();
  expect(texts.filter((text) => !distinct.add(text))).toEqual([]);
  expect(texts.toReversed().filter((text) => distinct.add(text))).toEqual([]);
  expect(distinct.size).toBe(20_000);
});

test("texts that only look similar are counted separately", () => {
  const distinct = new DistinctCounter();
  expect(["a", "A", "a ", "", "á"].map((text) => distinct.add(text))).toEqual(Array(5).fill(true));
  expect(distinct.size).toBe(5);
});
