/** Splitting a long text into pieces: nothing is lost, no piece is too long, and no character is cut. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "../../src/text/pieces.ts";

test("a text is cut at line ends, else at spaces, else anywhere between characters", () => {
  expect(splitText("one\ntwo\nthree", 8)).toEqual(["one\ntwo", "three"]);
  expect(splitText("one two three", 8)).toEqual(["one two", "three"]);
  expect(splitText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(splitText("abc😀def", 4)).toEqual(["abc", "😀de", "f"]);
  expect(splitText("short", 5)).toEqual(["short"]);
  expect(splitText("a\n\n\n\n\nb", 2)).toEqual(["a\n", "b"]);
});

test("no piece is too long, and together they have the same text except for whitespace", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 40 }), (text, most) => {
      const pieces = splitText(text, most);
      const withoutSpace = (one: string): string => one.replaceAll(/\s/g, "");
      expect(pieces.every((piece) => piece.length <= most && piece.isWellFormed())).toBe(true);
      expect(withoutSpace(pieces.join(""))).toBe(withoutSpace(text));
    }),
  );
});
