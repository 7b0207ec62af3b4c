/** Waveforms of voice messages as block characters, for any values. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { waveform } from "../../../src/tui/render/cards.ts";

test("each bar is the maximum of its part, and the loudest one is full", () => {
  expect(waveform([0, 0.25, 0.5], 10)).toBe("▁▅█");
  expect(waveform([0, 0.1, 0.2, 1, 0, 0], 3)).toBe("▂█▁");
  expect(waveform([0.001, 0.002], 2)).toBe("▁▁");
});

test("invalid values are silence, and no values give no bars", () => {
  expect(waveform([NaN, "x", null, -3, Infinity, 7, 1], 10)).toBe("▁▁▁▁▁██");
  expect([waveform(undefined, 5), waveform("0.1", 5), waveform([], 5), waveform([1], 0)]).toEqual([
    "",
    "",
    "",
    "",
  ]);
});

test("there are at most as many bars as cells and values", () => {
  fc.assert(
    fc.property(
      fc.array(fc.anything(), { maxLength: 300 }),
      fc.integer({ min: -2, max: 60 }),
      (values, cells) => {
        expect(waveform(values, cells)).toMatch(/^[▁▂▃▄▅▆▇█]*$/);
        expect(waveform(values, cells).length).toBe(Math.max(0, Math.min(cells, values.length)));
      },
    ),
  );
});
