/** The back-off against the table of specification/realtime.md §6. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { delay, delayBounds } from "../../../src/core/base/delay.ts";

const TABLE: [n: number, lower: number, upper: number][] = [
  [0, 250, 500],
  [1, 250, 2500],
  [2, 2000, 4500],
  [3, 4000, 6500],
  [4, 6000, 8500],
  [5, 8000, 10500],
  [6, 10000, 12500],
  [7, 12000, 14500],
  [8, 14000, 16500],
  [9, 16000, 18500],
  [10, 18000, 20500],
  [11, 20000, 22500],
  [12, 22000, 24500],
  [13, 24000, 25000],
  [14, 25000, 25000],
  [15, 25000, 25000],
];

test.each(TABLE)("after %i failures the wait lies between %i and %i ms", (n, lower, upper) => {
  expect(delayBounds(n)).toEqual({ lower, upper });
});

test("every delay is a whole number within its bounds, whatever the random number", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (n, r) => {
      const { lower, upper } = delayBounds(n);
      const ms = delay(n, r);
      expect(Number.isInteger(ms)).toBe(true);
      expect(ms).toBeGreaterThanOrEqual(lower);
      expect(ms).toBeLessThanOrEqual(upper);
    }),
  );
});

test("the random number spans the whole interval", () => {
  expect(delay(3, 0)).toBe(4000);
  expect(delay(3, 0.9999999)).toBe(6499);
});
