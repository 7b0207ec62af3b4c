/** The visible part of a one-line input while somebody types in it. */
import { expect, test } from "vitest";
import { typedLine } from "../../../src/tui/components/typed-line.ts";
import { cellWidth } from "../../../src/text/width.ts";

test("every blank moves the cursor, and a line end counts as a blank", () => {
  expect(typedLine("book ", 5, 20)).toEqual({ text: "book ", before: 5 });
  expect(typedLine("a  b\n", 5, 20)).toEqual({ text: "a  b ", before: 5 });
});

test("a long line is scrolled to the cursor, not always to its end", () => {
  expect(typedLine("0123456789", 10, 6)).toEqual({ text: "…6789", before: 5 });
  expect(typedLine("0123456789", 0, 6)).toEqual({ text: "012345", before: 0 });
  expect(typedLine("0123456789", 6, 6)).toEqual({ text: "…23456", before: 5 });
});

test("wide and joined characters are not split", () => {
  for (const text of ["広田".repeat(40), "👩‍👩‍👧".repeat(40), `a${"\u0301".repeat(50)}`.repeat(20)])
    for (const cells of [3, 8, 9, 40])
      for (const cursor of [0, text.length >> 1, text.length]) {
        const shown = typedLine(text, cursor, cells);
        expect(cellWidth(shown.text)).toBeLessThanOrEqual(cells);
        expect(shown.before).toBeLessThan(cells);
      }
});
