/** Slicing and replacing parts of styled rows by cells; styles continue after the changed part. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cellsBetween, overlayLabel, restyleCells } from "../../src/text/cells.ts";
import { cellWidth, plain } from "../../src/text/width.ts";

const red = (text: string): string => `\x1b[31m${text}\x1b[39m`;

test("an overlaid label keeps the rest of the row in place", () => {
  expect(plain(overlayLabel("hello world", 6, "AB"))).toBe("hello ABrld");
  expect(plain(overlayLabel("ab", 4, "X"))).toBe("ab  X");
});

test("a style continues after the label", () => {
  const row = overlayLabel(red("abcdef"), 2, "X");
  expect(plain(row)).toBe("abXdef");
  expect(row.slice(row.indexOf("X"))).toBe("X\x1b[31mdef\x1b[39m");
});

test("half of a wide character becomes a blank", () => {
  expect(plain(overlayLabel("日本", 1, "X"))).toBe(" X本");
  expect(cellsBetween("日本語", 1, 5)).toBe(" 本 ");
});

test("restyling part of a row keeps its text", () =>
  expect(restyleCells(red("abcdef"), 1, 3, (t) => `<${t}>`)).toContain("<bc>"));

test("the width of a row with a label is right for any text and position", () =>
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 20 }).map((s) => s.replace(/[\x00-\x1f\x7f-\x9f]/g, "")),
      fc.nat(12),
      (text, at) => {
        const width = Math.max(cellWidth(text), at + 2);
        expect(cellWidth(overlayLabel(red(text), at, "ab"))).toBe(width);
      },
    ),
    { numRuns: 300 },
  ));
